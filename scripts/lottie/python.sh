# Sets `python` to a Python with the packages and the other players that Lottie files are compared with. They go into a
# cache folder of their own. Of streamlit-lottie only the file that holds lottie-web is needed.
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
