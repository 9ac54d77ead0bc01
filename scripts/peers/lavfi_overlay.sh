#!/usr/bin/env bash
# The balls by ffmpeg alone: discs, drawn once, overlaid at places that are expressions of time.
# Called as: lavfi_overlay.sh WIDTH HEIGHT FRAMES CYCLE OUTPUT, where CYCLE is in frames, as 432/5 or 86.
set -euo pipefail

width=$1 height=$2 frames=$3 cycle=$4 output=$5
read -r scale side < <(awk -v w="$width" -v h="$height" 'BEGIN {
    scale = w / 120 < h / 60 ? w / 120 : h / 60
    print scale, 4 * int(6.5 * scale / 2 + 1)
}')
# The clip's position is `moment` out of 6 * length; both are whole, so that a frame on a boundary falls on its
# right side.
length=${cycle%/*} cycles=1
[ "$length" = "$cycle" ] || cycles=${cycle#*/}
moment="mod(6*$cycles*round(60*t),6*$length)"

# disc RED GREEN BLUE: one frame with a ball in its middle, the edge a pixel wide.
disc() {
    echo "color=s=${side}x$side:r=60,trim=end_frame=1,format=gbrap,
        geq=r=$1:g=$2:b=$3:a='204*clip(6.5*$scale+0.5-hypot(X+0.5-$side/2,Y+0.5-$side/2),0,1)',
        scale=out_color_matrix=bt709:out_range=tv,format=yuva420p"
}

# overlay STAGE CONDITION: where the ball is that begins in STAGE, shown while CONDITION holds. A ball moves from the
# centre to the left in stage 0, back in 1, to the right in 2, back in 3. In 4:2:0 overlays lie on even pixels.
overlay() {
    local stage="mod($moment+$1*$length,6*$length)/$length"
    local way="(max(0,1-abs($stage-3))-max(0,1-abs($stage-1)))"
    echo "overlay=x='2*round((W-w+60*$scale*$way)/4)':y=(H-h)/2:enable='$2'"
}

# From back to front the balls are yellow, red, green; then green, yellow, red; then red, green, yellow; each order for
# two phases.
first="lt($moment,2*$length)" last="gte($moment,4*$length)"
graph="$(disc 255 0 0),split[red1][red2]; $(disc 255 255 0),split[yellow1][yellow2]; $(disc 0 255 0)[green];
    color=white:s=${width}x$height:r=60,trim=end_frame=$frames,format=yuv420p[white];
    [white][yellow1]$(overlay 5 "$first")[a]; [a][red1]$(overlay 1 "$first+$last")[b];
    [b][green]$(overlay 3 1)[c]; [c][yellow2]$(overlay 5 "not($first)")[d];
    [d][red2]$(overlay 1 "not($first+$last)")"

exec ffmpeg -loglevel error -y -filter_complex "$graph" -c:v libx264 -preset medium -crf 18 -g 120 -pix_fmt yuv420p \
    -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv "$output"
