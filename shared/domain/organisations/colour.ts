/** A colour as red, green and blue from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

const fallback: Rgb = [22, 32, 44];

/** The colour of an organisation, if it is stated as hex digits; a dark one for any other colour and for none. */
export function organisationColour(text: string | null): Rgb {
  const [, short, long] = /^#(?:([0-9a-f]{3})[0-9a-f]?|([0-9a-f]{6})(?:[0-9a-f]{2})?)$/i.exec(text ?? '') ?? [];
  const digits = long ?? short?.replace(/./g, '$&$&');
  if (digits === undefined) return fallback;
  const part = (at: number): number => Number.parseInt(digits.slice(at, at + 2), 16);
  return [part(0), part(2), part(4)];
}

/** Black or white, whichever is easier to read on the colour (WCAG 2.2, relative luminance). */
export function textColourOn(colour: Rgb): Rgb {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
  return luminance > 0.179 ? [0, 0, 0] : [255, 255, 255];
}

export const cssColour = (colour: Rgb): string => `rgb(${colour.join(', ')})`;
