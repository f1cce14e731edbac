import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Facts, Templates } from '../../examples/mailer/render.ts';

const folder = new URL('../../examples/mailer/templates/', import.meta.url);
const mailsFile = readFileSync(new URL('mails.txt', folder), 'utf8');
const kinds = Array.from(mailsFile.matchAll(/^=== (\w+)$/gm), ([, kind = '']) => kind).filter(
  (kind) => kind !== 'greeting',
);
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl'] as const;
const names = [...new Set(Array.from(mailsFile.matchAll(/\{[#^]?(\w+)\}/g), ([, name = '']) => name))];
const given = { organisation: 'Harbour City FC', colour: '#0b2545' };

/** Every name that a mail has, with a text that says which one it is. */
const everything: Facts = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
const facts = {
  ...everything,
  ...given,
  ...Object.fromEntries(['link', 'page', 'pdf'].map((name) => [name, `https://example.com/${name}?a=1&b=2`])),
  tickets: [{ ...everything, page: 'https://example.com/page', pdf: 'https://example.com/pdf' }],
  memberships: [everything],
};
/** Without what this mail says may be missing. */
const few = (kind: string): typeof facts => {
  const [mail = ''] = mailsFile.split(`=== ${kind}\n`)[1]?.split('\n=== ') ?? [];
  const missing = Array.from(mail.matchAll(/\{#(\w+)\}/g), ([, name = '']) => [name, false]);
  return { ...facts, ...Object.fromEntries(missing), name: '' };
};

describe('the templates of the mailer', () => {
  it.each(languages)('those in %s have every mail as plain text and HTML, with all and with few facts', (language) => {
    const templates = new Templates(language);
    for (const kind of kinds) {
      const { subject, text, html } = templates.render(kind, facts);
      expect(subject.length, kind).toBeGreaterThan(5);
      expect(text, kind).not.toMatch(/[{}]|&lt;|=>/);
      expect(html, kind).toContain(`<html lang="${language}">`);
      expect(html.replace(/<style>[\s\S]*<\/style>/, ''), kind).not.toMatch(/[{}]|<(name|event|order|amount)>/);
      expect(templates.render(kind, few(kind)).text, kind).not.toMatch(/[{}]/);
    }
  });

  it.each(languages.slice(1))('those in %s translate every line that has words', (language) => {
    const english = new Templates('en');
    const other = new Templates(language);
    for (const kind of kinds) {
      const lines = other.render(kind, facts).text.split('\n');
      const same = english
        .render(kind, facts)
        .text.split('\n')
        .filter(
          (line) =>
            /[a-z]{3}/.test(line.replaceAll(/<\w+>|https:\S+|PDF|-- |Harbour.*|Hallo/g, '')) && lines.includes(line),
        );
      expect(same, kind).toEqual([]);
    }
  });

  it('a name is never read as a link, as HTML or as a line of its own', () => {
    const { text, html, subject } = new Templates('en').render('transfer_offered', {
      ...facts,
      giver: '[Pay here](https://evil.example)\n- <b>{event}</b>',
      event: 'A\r\nBcc: all@example.com',
    });
    expect(subject).toBe('A ticket for you: A Bcc: all@example.com');
    expect(html).not.toMatch(/href="https:\/\/evil|<b>/);
    expect(text).toContain('[Pay here](https://evil.example) - <b>{event}</b> would like to give you a ticket.');
  });

  it('a link leads to the web and nowhere else', () => {
    const { html } = new Templates('en').render('waiting_ended', { ...facts, link: 'javascript:alert(1)' });
    expect(html).toContain('href="#"');
  });

  it('a folder of the organisation replaces a mail, a line and the layout, and leaves the rest', () => {
    const own = mkdtempSync(join(tmpdir(), 'gateline-templates-'));
    writeFileSync(join(own, 'mails.txt'), '=== refund\nsubject: Money back\nHere you are: {amount}\n');
    writeFileSync(join(own, 'de.txt'), 'Thank you for your order {order} for {total}. => Danke!\n');
    writeFileSync(join(own, 'layout.html'), '<p>Our own</p><!-- body -->');
    const templates = new Templates('de', own);
    expect(templates.render('refund', facts)).toMatchObject({ subject: 'Money back' });
    expect(templates.render('order', facts).text).toContain('Danke!');
    expect(templates.render('order', facts).html).toMatch(/^<p>Our own<\/p>/);
    expect(templates.render('waiting_ended', facts).subject).toBe('Nicht mehr reserviert: <event>');
    rmSync(own, { recursive: true });
  });

  it('one that names what a mail does not have is an error that names it', () => {
    expect(() => new Templates('en').render('order', given)).toThrow('{event}');
  });
});
