import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

type Admin = (name: string, args: readonly string[]) => Promise<string>;

const orgId = 'org_harbourfc';
const IssuedKey = v.looseObject({ api_key: v.string() });
const hourMs = 3_600_000;

/** Creates a small organisation with the CLI, as an operator does, and returns an API key with all scopes that the flow needs. */
export async function createOrganisation(admin: Admin, folder: string): Promise<string> {
  const place = ['--country', 'AU', '--timezone', 'Australia/Melbourne'];
  await admin('org-create', ['org', 'create', '--name', 'Harbour City FC', ...place, '--id', orgId]);
  const scopes = 'read,members:write,baskets:write,scans:write,webhooks:write';
  const issued = await admin('key-issue', ['key', 'issue', orgId, '--scopes', scopes, '--label', 'all', '--json']);
  const startsAt = new Date(Date.now() + hourMs).toISOString().replace(/\.\d+Z$/, 'Z');
  for (const [dataset, lines] of Object.entries(files(startsAt))) {
    const file = join(folder, `${dataset}.csv`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    await admin(`import-${dataset}`, ['import', dataset, orgId, file]);
  }
  return v.parse(IssuedKey, JSON.parse(issued)).api_key;
}

/** In the order in which they refer to each other. */
const files = (startsAt: string): Record<string, string[]> => ({
  customers: ['org_customer_id,first_name,last_name,email_address', 'C-1,Zoë,Müller,zoe@example.com'],
  members: ['member_number,org_customer_id,first_name,last_name', '1,C-1,Zoë,Müller', '2,C-1,Ann,Lee'],
  venues: ['venue_id,venue_name', 'park,Harbour Park'],
  events: [
    'code,title,url_string,venue_id,currency,public_event,utc_event_start_date,timezone,event_status_id',
    `r1,Round 1,round-1,park,AUD,1,${startsAt},Australia/Melbourne,1`,
  ],
  'price-categories': ['event_code,code,title,status,order_by', 'r1,east,East,active,1'],
  prices: [
    'event_code,code,category_code,title,price,show_online,show_boxoffice,status,tickets_included,order_by,capacity',
    'r1,adult,east,Adult,25,1,1,active,1,1,100',
  ],
});
