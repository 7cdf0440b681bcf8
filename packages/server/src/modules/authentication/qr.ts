import QRCode from 'qrcode'

/** A QR code as an SVG element. */
export const renderSvg = (content: string): Promise<string> =>
  QRCode.toString(content, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' })
