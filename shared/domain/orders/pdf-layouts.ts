/** How tickets are printed: on sheets, or on the roll of a counter's printer. */
export const pdfLayouts = ['a4', 'roll_80mm'] as const;
export type PdfLayout = (typeof pdfLayouts)[number];
