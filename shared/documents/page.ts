import { createHash } from 'node:crypto';
import type { Rgb } from '../domain/organisations/colour.ts';
import { escapeHtml } from '../platform/html.ts';
import { pageStyle } from './page-style.ts';

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A text of any script. Its direction is its own, and a mark within it turns nothing outside of it. */
export const isolated = (text: string): string => `<bdi dir="auto">${escapeHtml(text)}</bdi>`;

interface Content {
  readonly title: string;
  readonly name: string;
  readonly colour: Rgb;
  readonly main: string;
  /** Of the fixed words; texts of the organisation may be in any language. */
  readonly locale: string;
}

/** A page of plain HTML without script. Its policy allows its one style by its hash, and nothing from elsewhere. */
export function page(status: number, { title, name, colour, main, locale }: Content): PageResponse {
  const style = pageStyle(colour);
  const styleHash = createHash('sha256').update(style).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style>`;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      // The address contains the token.
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
    body: `<!doctype html><html lang="${locale}"><head>${head}</head><body><header>${isolated(name)}</header><main>${main}</main></body></html>`,
  };
}
