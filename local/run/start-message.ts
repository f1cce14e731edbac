import type { DemoOrganisation } from '../demo/organisations.ts';

/** The message of a finished start: the address, the reference, the demo keys and three calls to try. */
export function startMessage(url: string, docsUrl: string, organisations: readonly DemoOrganisation[]): string {
  const [first] = organisations;
  const lines = [`Gateline is ready at ${url}`, `Reference of the API:  ${docsUrl}`, ''];
  for (const { name, org_id, api_key, read_only_key, publishable_key } of organisations) {
    lines.push(`${name} (${org_id})`, `  all scopes  ${api_key}`, `  read only   ${read_only_key}`);
    lines.push(`  web pages   ${publishable_key}`, '');
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
