// Parts of libav that Swift cannot import: function-like macros, and constants made with them.
#pragma once

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavcodec/version.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/crc.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libavutil/version.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <string.h>

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
static const int LV_ERROR_EXTERNAL = AVERROR_EXTERNAL;
static const int64_t LV_NOPTS_VALUE = AV_NOPTS_VALUE;
static const uint32_t LV_TAG_HVC1 = MKTAG('h', 'v', 'c', '1');
static const uint32_t LV_TAG_TX3G = MKTAG('t', 'x', '3', 'g');

/// Restores libav's own log callback, whose type Swift imports differently from the parameter's.
static inline void lv_restore_log_callback(void) { av_log_set_callback(av_log_default_callback); }

/// libav's status for a failed stream, which the AVIOContext keeps to itself until it is closed.
static inline int lv_avio_error(const AVIOContext *context) { return context->error; }

/// The parts of a version number as libav packs them.
static inline int lv_version_major(unsigned version) { return AV_VERSION_MAJOR(version); }
static inline int lv_version_minor(unsigned version) { return AV_VERSION_MINOR(version); }
static inline int lv_version_micro(unsigned version) { return AV_VERSION_MICRO(version); }

/// The pixel format of an encoder's list at `index`, or AV_PIX_FMT_NONE past its end.
static inline enum AVPixelFormat lv_codec_pixel_format(const AVCodec *codec, int index) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 19, 100)
    // FFmpeg 7.1 and later; from 9 on the list is nowhere else.
    const void *formats = NULL;
    int count = 0;
    int status = avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_PIX_FORMAT, 0, &formats, &count);
    return status >= 0 && formats && index < count ? ((const enum AVPixelFormat *)formats)[index] : AV_PIX_FMT_NONE;
#else
    return codec->pix_fmts ? codec->pix_fmts[index] : AV_PIX_FMT_NONE;
#endif
}

/// Returns true if decoding can begin at a frame.
static inline int lv_frame_is_key(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame;
#endif
}

/// The duration of a frame in units of its stream's time base.
static inline int64_t lv_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

/// The alpha data of a packet in Matroska or WebM: the BlockAdditional with the ID 1, after the
/// eight bytes of the ID; NULL if there is none.
static inline const uint8_t *lv_packet_alpha(const AVPacket *packet, size_t *size) {
#if LIBAVCODEC_VERSION_MAJOR >= 59
    const uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, size);
#else
    int length = 0;
    const uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &length);
    *size = length;
#endif
    return data && *size >= 8 && data[7] == 1 ? data : NULL;
}

/// The matrix of nine numbers by which players transform the frames of a stream; NULL for none.
static inline const int32_t *lv_stream_matrix(const AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
    const AVCodecParameters *parameters = stream->codecpar;
    const AVPacketSideData *data = av_packet_side_data_get(
        parameters->coded_side_data, parameters->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data ? (const int32_t *)data->data : NULL;
#else
    return (const int32_t *)av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, NULL);
#endif
}

/// 1 if players mirror the frames of a stream, because its matrix has a negative determinant; 0
/// otherwise.
static inline int lv_stream_is_mirrored(const AVStream *stream) {
    const int32_t *matrix = lv_stream_matrix(stream);
    return matrix && (double)matrix[0] * matrix[4] < (double)matrix[1] * matrix[3];
}

/// The angle in degrees by which players rotate a stream clockwise; 0 for none, and NaN for a
/// matrix that is not a rotation. A mirrored stream is rotated after mirroring it horizontally.
static inline double lv_stream_rotation(const AVStream *stream) {
    const int32_t *matrix = lv_stream_matrix(stream);
    if (!matrix) return 0;
    int32_t upright[9];
    memcpy(upright, matrix, sizeof upright);
    if (lv_stream_is_mirrored(stream)) av_display_matrix_flip(upright, 1, 0);
    return -av_display_rotation_get(upright);
}

// Since FFmpeg 8, swscale's context is a public structure and its flags are an enumeration. Swift
// would import both as different types than before.

/// A SwsContext.
typedef struct LVScaler LVScaler;

static const int LV_SWS_AREA = SWS_AREA;
static const int LV_SWS_BILINEAR = SWS_BILINEAR;
static const int LV_SWS_ACCURATE_RND = SWS_ACCURATE_RND;
static const int LV_SWS_FULL_CHR_H_INT = SWS_FULL_CHR_H_INT;
static const int LV_SWS_FULL_CHR_H_INP = SWS_FULL_CHR_H_INP;

/// sws_getContext, with a filter of the source alone.
static inline LVScaler *lv_sws_get_context(int source_width, int source_height, enum AVPixelFormat source_format, int width,
                                           int height, enum AVPixelFormat format, int flags, SwsFilter *filter) {
    return (LVScaler *)sws_getContext(source_width, source_height, source_format, width, height, format, flags, filter, NULL,
                                      NULL);
}

/// sws_freeContext.
static inline void lv_sws_free_context(LVScaler *scaler) { sws_freeContext((struct SwsContext *)scaler); }

/// sws_setColorspaceDetails with one matrix and neutral brightness, contrast and saturation.
static inline int lv_sws_set_matrix(LVScaler *scaler, const int *matrix, int source_range, int range) {
    return sws_setColorspaceDetails((struct SwsContext *)scaler, matrix, source_range, matrix, range, 0, 1 << 16, 1 << 16);
}

/// sws_scale.
static inline int lv_sws_scale(LVScaler *scaler, const uint8_t *const source[], const int source_stride[], int y, int height,
                               uint8_t *const target[], const int target_stride[]) {
    return sws_scale((struct SwsContext *)scaler, source, source_stride, y, height, target, target_stride);
}

/// The number of channels of an audio stream.
static inline int lv_channels(const AVCodecParameters *parameters) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
    return parameters->ch_layout.nb_channels;
#else
    return parameters->channels;
#endif
}

/// Sets the sample rate, the channels and the bits per sample of a FLAC stream from its header
/// (RFC 9639, section 8.2). libavformat leaves them to a decoder.
static inline void lv_complete_flac(AVCodecParameters *parameters) {
    const uint8_t *header = parameters->extradata;
    if (parameters->codec_id != AV_CODEC_ID_FLAC || parameters->extradata_size < 34 || parameters->sample_rate) return;
    parameters->sample_rate = header[10] << 12 | header[11] << 4 | header[12] >> 4;
    parameters->bits_per_raw_sample = ((header[12] & 1) << 4 | header[13] >> 4) + 1;
    int channels = (header[12] >> 1 & 7) + 1;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
    av_channel_layout_default(&parameters->ch_layout, channels);
#else
    parameters->channels = channels;
    parameters->channel_layout = av_get_default_channel_layout(channels);
#endif
}

/// The mask of a stream's channel layout; 0 if it has none.
static inline uint64_t lv_channel_layout(const AVCodecParameters *parameters) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
    return parameters->ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? parameters->ch_layout.u.mask : 0;
#else
    return parameters->channel_layout;
#endif
}

/// Sets the channels of an audio encoder to those of a stream. FFmpeg's default layouts of three
/// and four channels are 2.1 and 4.0: a stream with a layout keeps its own, and Opus has 3.0 and
/// quad.
static inline void lv_set_channels(AVCodecContext *encoder, const AVCodecParameters *from) {
    int channels = lv_channels(from);
    uint64_t layout = 0;
    if (channels == 3 || channels == 4) {
        if (encoder->codec_id != AV_CODEC_ID_OPUS) layout = lv_channel_layout(from);
        if (!layout) layout = channels == 3 ? AV_CH_LAYOUT_SURROUND : AV_CH_LAYOUT_QUAD;
    }
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
    if (layout) {
        av_channel_layout_from_mask(&encoder->ch_layout, layout);
    } else {
        av_channel_layout_default(&encoder->ch_layout, channels);
    }
#else
    encoder->channels = channels;
    encoder->channel_layout = layout ? layout : (uint64_t)av_get_default_channel_layout(channels);
#endif
}

/// Sets the channels of a frame to those of its encoder.
static inline void lv_set_frame_channels(AVFrame *frame, const AVCodecContext *encoder) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
    av_channel_layout_copy(&frame->ch_layout, &encoder->ch_layout);
#else
    frame->channels = encoder->channels;
    frame->channel_layout = encoder->channel_layout;
#endif
}

/// Opens a converter from a decoded frame's samples to an encoder's, or returns NULL. Channels
/// without a layout have the default one of their number.
static inline SwrContext *lv_resampler(const AVFrame *from, const AVCodecContext *to) {
    SwrContext *context = NULL;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(59, 24, 100)
    // Frames without a layout have the encoder's, if it has as many channels.
    AVChannelLayout usual;
    av_channel_layout_default(&usual, from->ch_layout.nb_channels);
    const AVChannelLayout *layout = &usual;
    if (from->ch_layout.order == AV_CHANNEL_ORDER_NATIVE) {
        layout = &from->ch_layout;
    } else if (from->ch_layout.nb_channels == to->ch_layout.nb_channels) {
        layout = &to->ch_layout;
    }
    swr_alloc_set_opts2(
        &context, &to->ch_layout, to->sample_fmt, to->sample_rate, layout, (enum AVSampleFormat)from->format,
        from->sample_rate, 0, NULL);
#else
    context = swr_alloc_set_opts(
        NULL, (int64_t)to->channel_layout, to->sample_fmt, to->sample_rate,
        from->channel_layout ? (int64_t)from->channel_layout
            : from->channels == to->channels ? (int64_t)to->channel_layout : av_get_default_channel_layout(from->channels),
        (enum AVSampleFormat)from->format, from->sample_rate, 0, NULL);
#endif
    if (context && swr_init(context) < 0) swr_free(&context);
    return context;
}

/// Adds a frame's samples to a converter, unless `from` is NULL, and takes up to `count` converted
/// ones into `to`, unless it is NULL. `ends` is true after the last frame: the converter then also
/// gives the samples that its filter holds back. Returns the number taken, or an error.
static inline int lv_resample(SwrContext *context, AVFrame *to, int count, const AVFrame *from, int ends) {
    // No samples, which is not the end.
    static const uint8_t *none[64];
    const uint8_t **samples = from ? (const uint8_t **)from->extended_data : ends ? NULL : none;
    return swr_convert(context, to ? to->extended_data : NULL, count, samples, from ? from->nb_samples : 0);
}

/// The sample rate of an audio encoder that is nearest to a rate and not below it, or its highest
/// one.
static inline int lv_nearest_sample_rate(const AVCodec *codec, int rate) {
    const int *rates = NULL;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 19, 100)
    avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_RATE, 0, (const void **)&rates, NULL);
#else
    rates = codec->supported_samplerates;
#endif
    int best = 0;
    for (; rates && *rates; rates++) {
        int is_better = best < rate ? *rates > best : *rates >= rate && *rates < best;
        if (!best || is_better) best = *rates;
    }
    return best ? best : rate;
}

/// The sample format of an audio encoder that loses least of another one.
static inline enum AVSampleFormat lv_nearest_sample_format(const AVCodec *codec, enum AVSampleFormat format) {
    const enum AVSampleFormat *formats = NULL;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 19, 100)
    avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_FORMAT, 0, (const void **)&formats, NULL);
#else
    formats = codec->sample_fmts;
#endif
    if (!formats) return format;
    enum AVSampleFormat best = formats[0];
    for (; *formats != AV_SAMPLE_FMT_NONE; formats++) {
        if (av_get_packed_sample_fmt(*formats) == av_get_packed_sample_fmt(format)) return *formats;
        if (av_get_bytes_per_sample(*formats) > av_get_bytes_per_sample(best)) best = *formats;
    }
    return best;
}
