import type { ServerResponse } from 'node:http';
import type { FolderMail, FolderSender } from './send/folder.ts';

/** `/mails`, and below it `/mails/<id>` with a mail, its HTML in a frame or its plain text. A page without a script. */
export function mailPage(folder: FolderSender, path: string, response: ServerResponse): void {
  const [whole, id, part] = /^\/mails(?:\/([\w-]+))?(?:\/(html|text))?$/.exec(path) ?? [];
  const mail = id === undefined ? undefined : folder.find(id);
  if (whole === undefined || (id !== undefined && mail === undefined)) answer(response, 404, page([], undefined));
  else if (mail !== undefined && part === 'html') answer(response, 200, mail.html, mailPolicy);
  else answer(response, 200, page(folder.list(), mail, part === 'text'));
}

const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'";
/** A mail runs nothing, also if somebody opens it outside its frame. */
const mailPolicy = `default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; sandbox allow-popups allow-popups-to-escape-sandbox`;

function answer(response: ServerResponse, status: number, html: string, policy = pagePolicy): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  response.end(html);
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const timeOf = ({ sentMs }: FolderMail): string => new Date(sentMs).toISOString().slice(0, 16).replace('T', ' ');

function page(mails: readonly FolderMail[], open: FolderMail | undefined, asText = false): string {
  const rows = mails.map((mail) => {
    const current = mail.id === open?.id ? ' aria-current="page"' : '';
    return `<li><a href="/mails/${mail.id}"${current}><strong>${escapeHtml(mail.subject)}</strong><span>${escapeHtml(mail.to)}</span><time>${timeOf(mail)}</time></a></li>`;
  });
  const list =
    rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '<p class="empty">No mail yet. Buy a ticket in the shop.</p>';
  const refresh = open === undefined ? '<meta http-equiv="refresh" content="3">' : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${refresh}
<title>${escapeHtml(open?.subject ?? 'Mails')}</title><style>${style}</style></head>
<body><nav aria-label="Mails"><h1><a href="/mails">Mails</a></h1>${list}</nav><main>${open === undefined ? empty : mailHtml(open, asText)}</main></body></html>`;
}

const empty = '<p class="empty">Choose a mail to read it. Nothing leaves this machine: all mails are put here.</p>';

function mailHtml(mail: FolderMail, asText: boolean): string {
  const facts = [
    ['From', mail.from],
    ['To', mail.to],
    ['Sent', `${timeOf(mail)} UTC`],
  ];
  const body = asText
    ? `<pre>${escapeHtml(mail.text)}</pre>`
    : `<iframe title="The mail" src="/mails/${mail.id}/html"></iframe>`;
  const other = asText
    ? `<a href="/mails/${mail.id}">Show as HTML</a>`
    : `<a href="/mails/${mail.id}/text">Show as plain text</a>`;
  return `<header><h2>${escapeHtml(mail.subject)}</h2><dl>${facts.map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>${other}</header>${body}`;
}

const style = `* { box-sizing: border-box } html, body { height: 100%; margin: 0 } h1, h2 { margin: 0 0 .5rem; font-size: 1.1rem }
body { display: grid; grid-template-columns: minmax(16rem, 22rem) 1fr; font: 15px/1.45 system-ui, sans-serif; color: #1c1f24 }
nav { overflow: auto; border-right: 1px solid #d5d9e0; background: #f6f7f9; padding: 1rem 0 } nav h1 { padding: 0 1rem } h1 a { color: inherit; text-decoration: none }
ul { list-style: none; margin: 0; padding: 0 } li a { display: grid; padding: .7rem 1rem; color: inherit; text-decoration: none; border-bottom: 1px solid #e5e8ed; overflow-wrap: anywhere }
li a:hover { background: #e9edf3 } li a[aria-current] { background: #dbe6f7; box-shadow: inset 3px 0 #1a56b8 } li span, time { color: #4c5564; font-size: .87rem }
main { display: flex; flex-direction: column; min-width: 0 } header { padding: 1rem 1.5rem; border-bottom: 1px solid #d5d9e0 } .empty { padding: 1rem 1.5rem; color: #4c5564 }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem 1rem; margin: 0 0 .5rem } dt { color: #4c5564 } dd { margin: 0 } iframe { flex: 1; border: 0; width: 100%; min-height: 20rem }
pre { margin: 0; padding: 1.5rem; white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.5 ui-monospace, monospace; overflow: auto }
@media (max-width: 45rem) { body { grid-template-columns: 1fr; grid-template-rows: auto 1fr } nav { max-height: 40vh } }`;
