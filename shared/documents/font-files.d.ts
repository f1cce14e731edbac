/** A font, as the bundler of functions and the test run load it. */
declare module '*.ttf' {
  const bytes: Uint8Array;
  // biome-ignore lint/style/noDefaultExport: the bundler's loader exports it this way.
  export default bytes;
}

/** pdfkit also takes a font that is open; its types do not say so. */
// biome-ignore lint/style/noNamespace: it extends the types of the package.
declare namespace PDFKit.Mixins {
  interface OpenFont {
    layout(text: string): object;
    readonly characterSet: readonly number[];
    glyphForCodePoint(codePoint: number): object;
    hasGlyphForCodePoint(codePoint: number): boolean;
  }
  interface PDFFont {
    registerFont(name: string, font: OpenFont): this;
  }
}

/** What documents use of fontkit, with which pdfkit reads fonts. */
declare module 'fontkit' {
  export type Font = PDFKit.Mixins.OpenFont;
  export function create(bytes: Uint8Array): Font;
}
