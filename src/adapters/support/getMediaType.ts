/** What an image or a file is: as it says, else what such a part usually is. */
export const getMediaType = ({ type, mediaType }: { readonly type: string; readonly mediaType?: string | undefined }): string =>
  mediaType ?? (type === 'image' ? 'image/png' : 'application/octet-stream')
