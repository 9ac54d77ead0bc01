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

static const int LV_ERROR_EAGAIN = AVERROR(EAGAIN);
static const int LV_ERROR_ENOMEM = AVERROR(ENOMEM);
static const int LV_ERROR_EIO = AVERROR(EIO);
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
