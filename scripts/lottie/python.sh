# To be sourced: sets `python` to an interpreter with the packages that scripts/lottie needs and
# with the players that loadervid is compared with. They are installed into a cache directory of
# their own. streamlit-lottie needs no dependencies: only its copy of lottie-web is used.
scripts/setup page
packages=(playwright pillow numpy)
players=(streamlit-lottie==0.0.5 thorvg-python==1.1.3 rlottie-python==1.3.8)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/loadervid/lottie
python=$folder/python/bin/python
if [ "$(cat "$folder/complete" 2>/dev/null || true)" != "${packages[*]} ${players[*]}" ]; then
    python3 -m venv --clear "$folder/python"
    pip=("$folder/python/bin/pip" install --quiet --disable-pip-version-check --prefer-binary)
    "${pip[@]}" "${packages[@]}" >&2
    "${pip[@]}" --no-deps "${players[@]}" >&2
    echo "${packages[*]} ${players[*]}" >"$folder/complete"
fi
