import { cssColour, type Rgb, textColourOn } from '../domain/organisations/colour.ts';

/** The style of the page, for a phone first and for print, in the colour of the organisation. It loads nothing: no font, no image. */
export function pageStyle(colour: Rgb): string {
  return `
:root { color-scheme: light; font: 17px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; color: #16202c; background: #eef1f4; }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; min-height: 100dvh; overflow-wrap: anywhere; }
header { padding: 16px 20px; background: ${cssColour(colour)}; color: ${cssColour(textColourOn(colour))}; font-weight: 600; text-align: center; }
main { max-width: 440px; margin: 0 auto; padding: 24px 20px 40px; }
h1 { font-size: 26px; line-height: 1.25; letter-spacing: -0.01em; }
h2 { margin-top: 32px; font-size: 19px; }
p { margin-top: 6px; color: #3f4b59; }
figure, .later, dl { margin-top: 20px; padding: 18px; background: #fff; border-radius: 14px; box-shadow: 0 1px 3px #16202c26; }
figure { text-align: center; }
svg { display: block; width: 100%; max-width: 300px; margin: 0 auto; shape-rendering: crispEdges; }
figcaption { margin-top: 8px; font: 15px/1.4 ui-monospace, Menlo, Consolas, monospace; }
dl { padding: 4px 18px; }
dl div { display: flex; justify-content: space-between; gap: 20px; padding: 13px 0; }
dl div + div { border-top: 1px solid #e3e7ec; }
dt { flex: none; color: #4d5a68; }
dd { text-align: end; font-weight: 600; }
nav { margin-top: 20px; }
a { display: block; margin-top: 12px; padding: 14px; border: 2px solid #0b5f8a; border-radius: 12px; background: #fff; color: #0b5f8a; font-weight: 600; text-align: center; text-decoration: none; }
:focus-visible { outline: 3px solid #16202c; outline-offset: 2px; }
@media print { nav { display: none; } :root { background: #fff; } }
`;
}
