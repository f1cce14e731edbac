import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Explained } from './explained.ts';

/** What a template can name: a text, something that is there or not, or a list of such. */
export type Facts = { readonly [name: string]: string | boolean | readonly Facts[] };

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (text: string): text is Language => languages.some((one) => one === text);

export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

type Node =
  | { readonly kind: 'line' | 'item'; readonly line: string }
  | { readonly kind: 'button'; readonly label: string; readonly address: string }
  | { readonly kind: 'section'; readonly name: string; readonly unless: boolean; readonly nodes: readonly Node[] };

const ownFolder = new URL('./templates/', import.meta.url);

/**
 * The mails of a language: one template gives subject, plain text and HTML. `mails.txt` has them in English, and `de.txt` has each line in
 * German. An organisation's folder can have files of the same names with the mails and lines that it words differently, and a layout of its own.
 */
export class Templates {
  readonly #mails: ReadonlyMap<string, readonly string[]>;
  readonly #layout: string;
  readonly #language: Language;

  constructor(language: Language, folder?: string) {
    this.#language = language;
    const replaced = (name: string): string => {
      const file = folder === undefined ? '' : join(folder, name);
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };
    const own = (name: string): string => readFileSync(new URL(name, ownFolder), 'utf8');
    const words = `${language}.txt`;
    const translated = new Map([...linesIn(language === 'en' ? '' : own(words)), ...linesIn(replaced(words))]);
    const mails = new Map([...mailsIn(own('mails.txt')), ...mailsIn(replaced('mails.txt'))]);
    this.#mails = new Map([...mails].map(([kind, lines]) => [kind, lines.map((line) => translated.get(line) ?? line)]));
    this.#layout = replaced('layout.html') || own('layout.html');
  }

  get kinds(): readonly string[] {
    return [...this.#mails.keys()].filter((kind) => kind !== 'greeting');
  }

  render(kind: string, facts: Facts & { readonly organisation: string; readonly colour: string }): Rendered {
    const mail = this.#mails.get(kind);
    if (mail === undefined) throw new Explained(`There is no template for ${kind}.`);
    const [first = '', ...lines] = mail;
    const subject = oneLine(fill(first.replace(/^subject:\s*/, ''), facts, plain));
    const { nodes } = parse([...(this.#mails.get('greeting') ?? []), '', ...lines], 0);
    const text = `${asText(nodes, facts)
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()}\n\n-- \n${facts.organisation}\n`;
    const html = fill(
      this.#layout,
      { ...facts, subject, language: this.#language, ink: inkOn(facts.colour) },
      escapeHtml,
    );
    return { subject, text, html: html.replace('<!-- body -->', () => asHtml(nodes, facts)) };
  }
}

/** `=== name` begins a mail: its subject, then its lines. Every mail begins with the `greeting`. */
function mailsIn(file: string): readonly (readonly [string, readonly string[]])[] {
  const [, ...mails] = file.split(/^=== /m);
  return mails.map((mail) => {
    const [name = '', ...lines] = mail.trim().split('\n');
    return [name, lines];
  });
}

/** `English line => line of this language` */
const linesIn = (file: string): readonly (readonly [string, string])[] =>
  file.split('\n').flatMap((line) => {
    const [english = '', other] = line.split(' => ');
    return other === undefined ? [] : [[english, other] as const];
  });

/**
 * The lines are understood before the facts are filled in, so a name like `[here](https://…)` stays a name. `{#x}` … `{/x}` is there for each
 * of a list or if x is there, `{^x}` … `{/x}` if it is not.
 */
function parse(lines: readonly string[], from: number): { readonly nodes: readonly Node[]; readonly next: number } {
  const nodes: Node[] = [];
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, sign, name = ''] = /^\{([#^/])(\w+)\}$/.exec(line) ?? [];
    const [, label, address = ''] = /^\[(.+)\]\((.+)\)$/.exec(line) ?? [];
    if (sign === '/') return { nodes, next: at };
    if (sign !== undefined) {
      const inner = parse(lines, at + 1);
      nodes.push({ kind: 'section', name, unless: sign === '^', nodes: inner.nodes });
      at = inner.next;
    } else if (label !== undefined) nodes.push({ kind: 'button', label, address });
    else if (line.startsWith('- ')) nodes.push({ kind: 'item', line: line.slice(2) });
    else nodes.push({ kind: 'line', line });
  }
  return { nodes, next: lines.length };
}

/** The facts with which the inside of a section is written: none, once, or once for each of a list. */
function insides({ name, unless }: { name: string; unless: boolean }, facts: Facts): readonly Facts[] {
  const value = facts[name] ?? false;
  const isThere = Array.isArray(value) ? value.length > 0 : value !== false && value !== '';
  if (unless) return isThere ? [] : [facts];
  if (!isThere) return [];
  return typeof value === 'object' ? value.map((one) => ({ ...facts, ...one })) : [facts];
}

function asText(nodes: readonly Node[], facts: Facts): string {
  const parts = nodes.map((node) => {
    if (node.kind === 'section')
      return insides(node, facts)
        .map((inner) => asText(node.nodes, inner))
        .join('');
    if (node.kind === 'button') return `${fill(node.label, facts, plain)}:\n${linkOf(node.address, facts)}\n`;
    return `${node.kind === 'item' ? '- ' : ''}${fill(node.line, facts, plain)}\n`;
  });
  return parts.join('');
}

function asHtml(nodes: readonly Node[], facts: Facts): string {
  const parts = nodes.map((node) => {
    if (node.kind === 'section')
      return insides(node, facts)
        .map((inner) => asHtml(node.nodes, inner))
        .join('\n');
    if (node.kind === 'button') {
      const style = `background:${facts.colour};color:${inkOn(String(facts.colour))}`;
      const words = fill(node.label, facts, escapeHtml);
      return `<p><a class="button" style="${style}" href="${escapeHtml(linkOf(node.address, facts))}">${words}</a></p>`;
    }
    if (node.line === '') return '';
    return `<p${node.kind === 'item' ? ' class="item"' : ''}>${fill(node.line, facts, escapeHtml)}</p>`;
  });
  return parts.join('\n');
}

function fill(template: string, facts: Facts, write: (text: string) => string): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = facts[name];
    if (typeof value !== 'string') throw new Explained(`A template names {${name}}, which this mail does not have.`);
    return write(value);
  });
}

/** An address that a mail leads to. Only the web: `javascript:` and its like lead nowhere. */
function linkOf(template: string, facts: Facts): string {
  const address = fill(template, facts, plain);
  return /^https?:\/\/[^\s"<>]+$/.test(address) ? address : '#';
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
// A line break in a name must not begin a line of its own.
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => plain(text).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');

/** Black or white, whichever can be read on the colour. */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? '#000000' : '#ffffff';
}
