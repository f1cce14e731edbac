import type { Organisation } from '../../site/browser/resources.ts';
import { coloursOf } from '../../site/browser/state/colours.ts';
import type { Shell } from '../../site/server/pages.ts';
import { defaultWelcome, initials, pages, welcomeTo } from '../browser/parts/frame.ts';

interface ShellOptions {
  /** Undefined if the service has not answered yet: then the pages ask for it. */
  readonly organisation: Organisation | undefined;
  readonly path: string;
  readonly welcome: string | undefined;
}

/** The frame of the shop, as the script draws it again: nothing moves when it does. */
export function shellOf({ organisation, path, welcome = defaultWelcome }: ShellOptions): Shell {
  // The device of a gate shows nothing else.
  if (organisation === undefined || path === '/gate') return { html: '', style: '', config: { organisation } };
  const { name, background_color } = organisation;
  const links = pages.map(([to, title]) => {
    const current = to === path ? ' aria-current="page"' : '';
    return `<li><a href="${to}"${current}>${title}</a></li>`;
  });
  const hero = `<div class="hero"><h1>${escaped(welcomeTo(name))}</h1><p class="intro">${escaped(welcome)}</p></div>`;
  const html = `<header class="top"><div class="bar"><a class="club" href="/"><span class="crest" aria-hidden="true">${escaped(
    initials(name),
  )}</span>${escaped(name)}</a><nav aria-label="Shop"><ul class="links">${links.join('')}</ul></nav></div></header>
<main class="page">${path === '/' ? hero : ''}<p class="loading" role="status">One moment …</p></main>`;
  const colours = Object.entries(coloursOf(background_color)).map(([property, colour]) => `${property}:${colour}`);
  return { html, style: `:root{${colours.join(';')}}`, config: { organisation } };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<"]/g, (character) => entities[character] ?? character);
