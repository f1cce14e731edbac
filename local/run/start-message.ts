import type { DemoOrganisation } from '../demo/organisations.ts';

interface Addresses {
  readonly url: string;
  readonly docs_url: string;
  /** The sample shop; left out without one. */
  readonly shop_url?: string | undefined;
  readonly theatre_shop_url?: string | undefined;
  /** What the mailer of the club would send to fans. */
  readonly mails_url?: string | undefined;
}

/** The message of a finished start: the API, the shops, the reference, the demo keys and three calls to try. */
export function startMessage(
  { url, docs_url, shop_url, theatre_shop_url, mails_url }: Addresses,
  organisations: readonly DemoOrganisation[],
): string {
  const [first] = organisations;
  const lines = [`Gateline is ready at ${url}`];
  if (shop_url !== undefined) lines.push(`Sample shop:           ${shop_url}`);
  if (theatre_shop_url !== undefined) lines.push(`Shop with seats:       ${theatre_shop_url}`);
  if (mails_url !== undefined) lines.push(`Mails to fans:         ${mails_url}`);
  lines.push(`Reference of the API:  ${docs_url}`, '');
  for (const { name, org_id, api_key, read_only_key, publishable_key, gate_token } of organisations) {
    lines.push(`${name} (${org_id})`, `  all scopes  ${api_key}`, `  read only   ${read_only_key}`);
    lines.push(`  web pages   ${publishable_key}`, `  gates       ${gate_token}`, '');
  }
  const bearer = `-H "Authorization: Bearer ${first?.read_only_key}"`;
  lines.push(
    'Try:',
    `  curl ${url}/v1/health`,
    `  curl ${bearer} ${url}/v1/organisation`,
    `  curl -i ${bearer} ${url}/v1/rate_limit`,
    '',
    'Press Ctrl-C to stop.',
  );
  return lines.join('\n');
}
