// What Swift's importer cannot see of libav: function-like macros and constants built from them. Nothing else.
#pragma once

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavcodec/version.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libswscale/swscale.h>
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(59, 39, 100)
#include <libavutil/video_hint.h>
#define LV_HAS_VIDEO_HINT 1
#else
#define LV_HAS_VIDEO_HINT 0
#endif

static const int LV_ERROR_EAGAIN = AVERROR(EAGAIN);
static const int LV_ERROR_ENOMEM = AVERROR(ENOMEM);
static const int LV_ERROR_EIO = AVERROR(EIO);
static const int LV_ERROR_EFBIG = AVERROR(EFBIG);
static const int LV_ERROR_EOF = AVERROR_EOF;
static const int LV_ERROR_ENCODER_NOT_FOUND = AVERROR_ENCODER_NOT_FOUND;
static const int LV_ERROR_OPTION_NOT_FOUND = AVERROR_OPTION_NOT_FOUND;
static const int LV_ERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int LV_ERROR_STREAM_NOT_FOUND = AVERROR_STREAM_NOT_FOUND;
static const int LV_ERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int64_t LV_NOPTS_VALUE = AV_NOPTS_VALUE;
static const uint32_t LV_TAG_HVC1 = MKTAG('h', 'v', 'c', '1');

/// libav's status for a failed stream, which the AVIOContext keeps to itself until it is closed.
static inline int lv_avio_error(const AVIOContext *context) { return context->error; }

/// The parts of a version number as libav packs them.
static inline int lv_version_major(unsigned version) { return AV_VERSION_MAJOR(version); }
static inline int lv_version_minor(unsigned version) { return AV_VERSION_MINOR(version); }
static inline int lv_version_micro(unsigned version) { return AV_VERSION_MICRO(version); }

/// The first pixel format of an encoder's list at `index`, or AV_PIX_FMT_NONE past its end.
static inline enum AVPixelFormat lv_codec_pixel_format(const AVCodec *codec, int index) {
    return codec->pix_fmts ? codec->pix_fmts[index] : AV_PIX_FMT_NONE;
}

/// Whether frames can say which of their pixels changed: FFmpeg 7.1 and later.
static const int LV_VIDEO_HINT = LV_HAS_VIDEO_HINT;

/// Says that only these rectangles, four numbers each (left, top, width, height), differ from the frame before.
static inline int lv_frame_set_changed(AVFrame *frame, const int *rectangles, int count) {
#if LV_HAS_VIDEO_HINT
    av_frame_remove_side_data(frame, AV_FRAME_DATA_VIDEO_HINT);
    AVVideoHint *hint = av_video_hint_create_side_data(frame, count);
    if (!hint) return AVERROR(ENOMEM);
    hint->type = AV_VIDEO_HINT_TYPE_CHANGED;
    for (int index = 0; index < count; index++) {
        const int *rectangle = rectangles + 4 * index;
        AVVideoRect *changed = av_video_hint_get_rect(hint, index);
        *changed = (AVVideoRect){rectangle[0], rectangle[1], rectangle[2], rectangle[3]};
    }
    return 0;
#else
    return AVERROR(ENOSYS);
#endif
}

/// Takes such a word back: every pixel may differ.
static inline void lv_frame_set_all_changed(AVFrame *frame) {
#if LV_HAS_VIDEO_HINT
    av_frame_remove_side_data(frame, AV_FRAME_DATA_VIDEO_HINT);
#endif
}
