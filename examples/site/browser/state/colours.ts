/** Red, green and blue, from 0 to 1. */
type Colour = readonly [number, number, number];

const fallback = '#1f3a5f';

/** The colour of the organisation, and texts on it and in it that can be read, as properties of CSS. */
export function coloursOf(background: string | null): Readonly<Record<string, string>> {
  const brand = parse(background ?? fallback) ?? parse(fallback) ?? [0, 0, 0];
  const white: Colour = [1, 1, 1];
  const onBrand = contrast(brand, white) >= contrast(brand, [0, 0, 0]) ? '#ffffff' : '#000000';
  return { '--brand': text(brand), '--on-brand': onBrand, '--brand-text': text(darkenUntilReadable(brand)) };
}

/** A light colour is darkened until a text in it has enough contrast on the shop's pale surfaces. */
function darkenUntilReadable(colour: Colour): Colour {
  const surface: Colour = [0.93, 0.94, 0.95];
  let readable = colour;
  while (contrast(readable, surface) < 5) readable = [readable[0] * 0.92, readable[1] * 0.92, readable[2] * 0.92];
  return readable;
}

function parse(css: string): Colour | undefined {
  const long = css.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(long) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  const colour = [red, green, blue].map((pair) => Number.parseInt(pair, 16) / 255);
  const [r = Number.NaN, g = Number.NaN, b = Number.NaN] = colour;
  return colour.some(Number.isNaN) ? undefined : [r, g, b];
}

const text = (colour: Colour): string => `#${colour.map((part) => hexOf(Math.round(part * 255))).join('')}`;
const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0');

/** The contrast of two colours as WCAG defines it: 1 to 21. */
function contrast(a: Colour, b: Colour): number {
  const [lighter, darker] = [luminance(a), luminance(b)].sort((one, other) => other - one);
  return ((lighter ?? 1) + 0.05) / ((darker ?? 0) + 0.05);
}

function luminance(colour: Colour): number {
  const [r, g, b] = colour.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}
