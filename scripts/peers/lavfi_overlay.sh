#!/usr/bin/env bash
# Renders the three balls with ffmpeg alone: draws each disc once and overlays it at a position that
# is an expression of time. Usage: lavfi_overlay.sh WIDTH HEIGHT FRAMES CYCLE OUTPUT, where CYCLE is
# the number of frames per period, for example 432/5 or 86.
set -euo pipefail

width=$1 height=$2 frames=$3 cycle=$4 output=$5
read -r scale side < <(awk -v w="$width" -v h="$height" 'BEGIN {
    scale = w / 120 < h / 60 ? w / 120 : h / 60
    print scale, 4 * int(6.5 * scale / 2 + 1)
}')
# `moment` of 6 * length is the position in the cycle. Both are integers, which puts a frame at the
# boundary of two phases into the right one.
length=${cycle%/*} cycles=1
[ "$length" = "$cycle" ] || cycles=${cycle#*/}
moment="mod(6*$cycles*round(60*t),6*$length)"

# disc RED GREEN BLUE: a frame with a ball in the middle, whose antialiased edge is a pixel wide.
disc() {
    echo "color=s=${side}x$side:r=60,trim=end_frame=1,format=gbrap,
        geq=r=$1:g=$2:b=$3:a='204*clip(6.5*$scale+0.5-hypot(X+0.5-$side/2,Y+0.5-$side/2),0,1)',
        scale=out_color_matrix=bt709:out_range=tv,format=yuva420p"
}

# overlay STEP CONDITION: overlays the ball that is in STEP at time 0 while CONDITION holds. A ball
# moves from the centre to the left in step 0, back in 1, to the right in 2 and back in 3. In 4:2:0,
# overlays must lie on even pixels.
overlay() {
    local step="mod($moment+$1*$length,6*$length)/$length"
    local offset="(max(0,1-abs($step-3))-max(0,1-abs($step-1)))"
    echo "overlay=x='2*round((W-w+60*$scale*$offset)/4)':y=(H-h)/2:enable='$2'"
}

# From back to front, the balls are yellow, red, green for two phases, then green, yellow, red, and
# then red, green, yellow.
first="lt($moment,2*$length)" last="gte($moment,4*$length)"
graph="$(disc 255 0 0),split[red1][red2]; $(disc 255 255 0),split[yellow1][yellow2]; $(disc 0 255 0)[green];
    color=white:s=${width}x$height:r=60,trim=end_frame=$frames,format=yuv420p[white];
    [white][yellow1]$(overlay 5 "$first")[a]; [a][red1]$(overlay 1 "$first+$last")[b];
    [b][green]$(overlay 3 1)[c]; [c][yellow2]$(overlay 5 "not($first)")[d];
    [d][red2]$(overlay 1 "not($first+$last)")"

exec ffmpeg -loglevel error -y -filter_complex "$graph" -c:v libx264 -preset medium -crf 18 -g 120 -pix_fmt yuv420p \
    -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv "$output"
