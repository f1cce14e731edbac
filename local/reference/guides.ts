import { readFileSync } from 'node:fs';

/** The guides in the order in which a reader needs them. */
export const guideNames = [
  'sell-your-first-ticket',
  'take-payments',
  'receive-webhooks',
  'send-mails',
  'sync-members',
  'sync-orders',
  'sign-fans-in',
  'deliver-tickets',
  'run-a-gate',
  'create-an-event',
  'sell-numbered-seats',
  'sell-memberships',
  'run-an-on-sale',
  'sell-at-the-counter',
  'issue-receipts',
  'let-buyers-withdraw-and-cancel',
  'go-live',
] as const;

/** Other documents to which the guides lead. They come after the guides. */
const details = ['payments', 'webhooks', 'api-rules', 'generate-a-client', 'versioning'];

/** The documents of the reference page, as paths below `docs` without their ending. */
export const documentNames: readonly string[] = [...guideNames.map((name) => `guides/${name}`), ...details];

export const readDocument = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');

/** The anchor that Scalar gives to a heading of the description. */
function anchorOf(markdown: string): string {
  const [, title = ''] = /^# (.+)$/m.exec(markdown) ?? [];
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(/\s+/g, '-');
}

/** The guides as Markdown, for the description of the API: Scalar shows each as a section before the operations. */
export function guidesMarkdown(): string {
  const texts = new Map(documentNames.map((name) => [name.split('/').at(-1) ?? '', readDocument(name)] as const));
  const anchors = new Map([...texts].map(([name, text]) => [name, anchorOf(text)]));
  return [...texts.values()].map((text) => withLinks(text, anchors)).join('\n\n');
}

/** Links between these documents lead to their sections. What is only in the repository is not linked. */
function withLinks(markdown: string, anchors: ReadonlyMap<string, string>): string {
  return markdown.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, text: string, target: string) => {
    if (/^https?:/.test(target)) return whole;
    const anchor = anchors.get(/([\w-]+)\.md/.exec(target)?.[1] ?? '');
    return anchor === undefined ? text : `[${text}](#description/${anchor})`;
  });
}
