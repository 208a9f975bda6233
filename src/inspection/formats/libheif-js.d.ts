/** The parts of libheif-js that the decoder uses. Its own declarations lack them. */
declare module 'libheif-js/wasm-bundle.js' {
  interface HeifError {
    code: unknown;
    message: string;
  }
  interface HeifChannel {
    width: number;
    height: number;
    stride: number;
    data: Uint8Array;
  }
  const libheif: {
    heif_error_code: Record<'heif_error_Ok' | 'heif_error_Invalid_input' | 'heif_error_Memory_allocation_error', unknown>;
    heif_colorspace: { heif_colorspace_RGB: unknown };
    heif_chroma: Record<'heif_chroma_interleaved_RGB' | 'heif_chroma_interleaved_RGBA', unknown>;
    heif_context_alloc(): object;
    heif_context_read_from_memory(context: object, bytes: Uint8Array): HeifError;
    heif_js_context_get_primary_image_handle(context: object): HeifError | { code?: never };
    heif_js_decode_image2(handle: object, colorspace: unknown, chroma: unknown): HeifError | { code?: never; channels: HeifChannel[] };
  };
  export = libheif;
}
