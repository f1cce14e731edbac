import { createHash } from 'node:crypto';

/** The style of the sandbox's page, for a phone first. It loads nothing: no font, no image. */
export const style = `
:root { color-scheme: light; font: 17px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: #16202c; background: #eef1f4; }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; overflow-wrap: anywhere; }
header { padding: 14px 20px; background: #16202c; color: #fff; font-size: 15px; text-align: center; }
main { width: 100%; max-width: 440px; margin: 0 auto; padding: 36px 20px; }
h1 { margin-bottom: 12px; font-size: 26px; line-height: 1.2; letter-spacing: -0.01em; }
p { color: #3f4b59; }
dl { margin: 20px 0; padding: 4px 18px; background: #fff; border-radius: 14px; box-shadow: 0 1px 3px #16202c26; }
dl div { display: flex; justify-content: space-between; gap: 20px; padding: 14px 0; }
dl div + div { border-top: 1px solid #e3e7ec; }
dt { flex: none; color: #4d5a68; }
dd { text-align: right; }
.amount { font-size: 22px; font-weight: 700; line-height: 1.2; }
button, a { display: block; width: 100%; min-height: 54px; margin-top: 12px; padding: 14px; border: 2px solid #0b5f8a; border-radius: 12px; background: #fff; color: #0b5f8a; font: inherit; font-weight: 600; line-height: 1.3; text-align: center; text-decoration: none; cursor: pointer; }
.first { background: #0b5f8a; color: #fff; }
:focus-visible { outline: 3px solid #16202c; outline-offset: 2px; }
`;

/** What a Content-Security-Policy allows instead of every inline style. */
export const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
