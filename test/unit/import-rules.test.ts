import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { layers } from '../../tools/import-rules/layers.ts';
import { refusedImports } from '../../tools/import-rules/refused-imports.ts';

type Import = readonly [file: string, source: string];

const refused: readonly Import[] = [
  ['shared/domain/stock.ts', 'valibot'],
  ['shared/domain/stock.ts', 'node:crypto'],
  ['shared/domain/stock.ts', '../platform/clock.ts'],
  ['shared/domain/stock.ts', '../operations/registry.ts'],
  ['shared/domain/basket/hold.ts', '../../data/table.ts'],
  ['shared/operations/registry.ts', '@valibot/to-json-schema'],
  ['shared/operations/registry.ts', 'node:crypto'],
  ['shared/operations/registry.ts', '../events/catalogue.ts'],
  ['shared/operations/events/list-events.ts', '../../events/catalogue.ts'],
  ['shared/operations/events/list-events.ts', '../../../lib/stage-config.ts'],
  ['shared/operations/events/list-events.ts', '../../data/events/read.ts'],
  ['shared/operations/events/list-events.ts', '../../outbox/feed.ts'],
  ['shared/operations/events/list-events.ts', '../../data/admin/access.ts'],
  ['shared/data/events/access.ts', './read.ts'],
  ['shared/data/events/access.ts', '../orders/read.ts'],
  ['shared/data/events/access.ts', '../../outbox/access.ts'],
  ['shared/data/events/access.ts', 'valibot'],
  ['shared/payments/access.ts', './sandbox.ts'],
  ['shared/outbox/access.ts', '../webhooks/access.ts'],
  ['shared/data/table/table.ts', '../../http/problem.ts'],
  ['shared/data/table/table.ts', '../../operations/registry.ts'],
  ['shared/data/table/table.ts', '../../outbox/outbox.ts'],
  ['shared/data/table/table.ts', '@middy/core'],
  ['shared/data/table/table.ts', '@aws-sdk/client-sqs'],
  ['shared/data/members/row.ts', '../../http/problem.ts'],
  ['shared/outbox/outbox.ts', '../http/pipeline.ts'],
  ['shared/outbox/outbox.ts', '../operations/registry.ts'],
  ['shared/outbox/outbox.ts', 'ipaddr.js'],
  ['shared/webhooks/send.ts', '../http/pipeline.ts'],
  ['shared/webhooks/send.ts', '../payments/port.ts'],
  ['shared/webhooks/send.ts', '../../functions/consumers/deliver-webhook.ts'],
  ['shared/payments/stripe.ts', '../operations/registry.ts'],
  ['shared/payments/stripe.ts', '../../lib/stage-config.ts'],
  ['shared/sso/token.ts', '../http/auth/signed-token.ts'],
  ['shared/sso/token.ts', '../../local/cloud/cloud.ts'],
  ['shared/platform/env.ts', '../domain/stock.ts'],
  ['shared/platform/env.ts', '../data/table.ts'],
  ['shared/platform/env.ts', '@middy/core'],
  ['shared/platform/env.ts', '../../bin/app.ts'],
  ['shared/http/pipeline.ts', 'aws-cdk-lib'],
  ['shared/http/pipeline.ts', 'constructs'],
  ['shared/http/pipeline.ts', '../openapi/document.ts'],
  ['shared/http/pipeline.ts', '../../functions/api/service/health.ts'],
  ['shared/http/pipeline.ts', '../../lib/bundle.ts'],
  ['shared/http/pipeline.ts', '../../local/cloud/cloud.ts'],
  ['shared/http/pipeline.ts', '../../bin/start.ts'],
  ['shared/http/pipeline.ts', '../../test/support/member.ts'],
  ['shared/http/handlers/problems/event-problem.ts', '../../../data/events/save.ts'],
  ['shared/http/handlers/input/whole-list.ts', '../../../data/table/table.ts'],
  ['shared/http/handlers/new-folder/basket.ts', '../../../data/baskets/baskets.ts'],
  ['shared/http/handlers/input/whole-list.ts', 'node:stream'],
  ['shared/http/handlers/from-path/event-from-path.ts', '@aws-sdk/lib-dynamodb'],
  ['shared/http/handlers/callers/own-member.ts', '../../../data/admin/save-member.ts'],
  ['shared/mappers/member.ts', '../http/problem.ts'],
  ['shared/mappers/member.ts', 'luxon'],
  ['shared/openapi/document.ts', '../http/problem.ts'],
  ['shared/openapi/document.ts', 'node:fs'],
  ['functions/api/members/create-member.ts', './list-members.ts'],
  ['functions/api/members/create-member.ts', '../../../shared/data/admin/save-member.ts'],
  ['shared/data/members/row.ts', '../admin/save-member.ts'],
  ['shared/data/members/list.ts', '../positions/tree/node.ts'],
  ['functions/consumers/process-table-changes.ts', '../../shared/data/positions/tree/stored.ts'],
  ['admin/person/customer.ts', '../../shared/data/positions/tree/writer.ts'],
  ['shared/sales/refunds/execute-refund.ts', '../../domain/journal/entries/refund.ts'],
  ['shared/sales/refunds/execute-refund.ts', '../../data/journal/row.ts'],
  ['shared/data/orders/change-tickets.ts', '../../domain/journal/entries/entry-of.ts'],
  ['shared/data/orders/change-tickets.ts', '../journal/row.ts'],
  ['shared/domain/orders/change-order.ts', '../journal/entries/refund.ts'],
  ['shared/sales/checkout/pay.ts', '../../data/admin/save-member.ts'],
  ['shared/sales/checkout/pay.ts', '../../http/problem.ts'],
  ['lib/synthesize.ts', '../shared/data/admin/save-member.ts'],
  ['functions/api/members/create-member.ts', '../orders/create-order.ts'],
  ['functions/api/members/create-member.ts', '../../consumers/publish-outbox.ts'],
  ['functions/api/members/create-member.ts', '../../shared/http/pipeline.ts'],
  ['functions/api/members/create-member.ts', '../../../lib/stage-config.ts'],
  ['functions/api/members/create-member.ts', '../../../local/cloud/cloud.ts'],
  ['functions/api/members/create-member.ts', 'aws-cdk-lib/aws-lambda'],
  ['functions/api/members/create-member.ts', '@middy/core'],
  ['functions/api/members/create-member.ts', '@aws-sdk/client-sqs'],
  ['functions/api/members/create-member.ts', 'node:fs'],
  ['functions/consumers/publish-outbox.ts', '../schedules/sweep.ts'],
  ['lib/synthesize.ts', '../functions/api/service/health.ts'],
  ['lib/synthesize.ts', '../local/cloud/cloud.ts'],
  ['lib/synthesize.ts', '../bin/app.ts'],
  ['lib/constructs/table.ts', '../../functions/consumers/publish-outbox.ts'],
  ['bin/start.ts', '../functions/api/service/health.ts'],
  ['bin/start.ts', '../test/support/member.ts'],
  ['local/cloud/cloud.ts', '../../functions/api/service/health.ts'],
  ['local/cloud/cloud.ts', '../../lib/bundle.ts'],
  ['local/cloud/cloud.ts', '../../shared/data/table/schema.ts'],
  ['local/cloud/cloud.ts', '../run/start.ts'],
  ['local/cloud/lambda/pool.ts', '../../run/start.ts'],
  ['local/run/start.ts', '../../bin/start.ts'],
  ['local/cloud/cloud.ts', '../../admin/run.ts'],
  ['admin/run.ts', '../bin/admin.ts'],
  ['examples/gate/main.ts', 'valibot'],
  ['examples/gate/main.ts', '../../shared/domain/stock.ts'],
  ['examples/shop/server/shop.ts', '../../../local/cloud/http/listen.ts'],
  ['examples/shop/server/shop.ts', '../browser/main.tsx'],
  ['examples/shop/browser/pages/events.tsx', 'node:crypto'],
  ['examples/shop/browser/pages/events.tsx', '../../server/options.ts'],
  ['examples/shop/browser/pages/events.tsx', '../../../office/browser/status.tsx'],
  ['examples/shop/server/shop.ts', '../../office/server/staff.ts'],
  ['examples/office/browser/events.tsx', '../../shop/browser/state/api.ts'],
  ['examples/office/server/office.ts', '../../shop/server/webhooks.ts'],
  ['examples/site/browser/seats/load.ts', '../../../shop/browser/state/api.ts'],
  ['examples/site/server/site.ts', '../../office/server/office.ts'],
  ['local/run/start.ts', '../../examples/demo/start-demo-site.ts'],
  ['bin/start.ts', './admin.ts'],
  // A folder without rules is closed, not open.
  ['shared/helpers/strings.ts', './other.ts'],
  ['shared/strings.ts', './domain/stock.ts'],
];

const allowed: readonly Import[] = [
  ['shared/data/positions/read.ts', './tree/node.ts'],
  ['shared/data/positions/tree/writer.ts', './node.ts'],
  ['shared/data/positions/tree/writer.ts', '../change.ts'],
  ['shared/data/journal/journal-items.ts', '../../domain/journal/entries/entry-of.ts'],
  ['shared/data/journal/journal-items.ts', './row.ts'],
  ['shared/data/orders/change-tickets.ts', '../journal/journal-items.ts'],
  ['shared/data/orders/change-tickets.ts', '../../domain/journal/money-moves.ts'],
  ['shared/domain/stock.ts', './basket.ts'],
  ['shared/domain/basket/hold.ts', '../stock.ts'],
  ['shared/operations/registry.ts', 'valibot'],
  ['shared/operations/registry.ts', './events/list-events.ts'],
  ['shared/operations/registry.ts', '../domain/scopes.ts'],
  ['shared/operations/events/list-events.ts', '../members/create-member.ts'],
  ['shared/operations/members/list-members.ts', '../events/list-events.ts'],
  ['shared/operations/members/list-members.ts', '../../domain/scopes.ts'],
  ['shared/operations/events/list-events.ts', '../../data/events/access.ts'],
  ['shared/operations/events/list-events.ts', '../../outbox/access.ts'],
  ['shared/operations/grants.ts', '../data/auth/access.ts'],
  ['shared/workers/registry.ts', '../webhooks/access.ts'],
  ['shared/data/events/access.ts', '../../domain/table-access.ts'],
  ['shared/data/events/access.ts', '../prices/access.ts'],
  ['shared/webhooks/access.ts', '../outbox/access.ts'],
  ['shared/sso/access.ts', '../data/customers/access.ts'],
  ['shared/data/table/table.ts', '@aws-sdk/lib-dynamodb'],
  ['shared/data/table/table.ts', '../../domain/stock.ts'],
  ['shared/data/table/table.ts', '../../platform/env.ts'],
  ['shared/data/members/row.ts', '../table/table.ts'],
  ['shared/data/admin/save-member.ts', '../members/row.ts'],
  ['shared/data/admin/api-keys/rotate.ts', '../gate-tokens.ts'],
  ['admin/commands/key.ts', '../../shared/data/admin/api-keys/rotate.ts'],
  ['local/demo/organisations.ts', '../../shared/data/admin/api-keys/rotate.ts'],
  ['shared/outbox/outbox.ts', '../data/table.ts'],
  ['shared/outbox/outbox.ts', '@aws-sdk/client-eventbridge'],
  ['shared/webhooks/send.ts', 'ipaddr.js'],
  ['shared/webhooks/send.ts', 'node:crypto'],
  ['shared/payments/stripe.ts', 'valibot'],
  ['shared/payments/stripe.ts', './port.ts'],
  ['shared/sso/token.ts', 'aws-jwt-verify/jwt'],
  ['shared/platform/secret.ts', '@aws-sdk/client-secrets-manager'],
  ['shared/platform/log.ts', './env.ts'],
  ['shared/http/pipeline.ts', '@middy/core'],
  ['shared/http/pipeline.ts', 'qs'],
  ['shared/http/pipeline.ts', '../operations/registry.ts'],
  ['shared/http/pipeline.ts', '../data/table.ts'],
  ['shared/http/handlers/from-path/event-from-path.ts', '../../../data/events/read.ts'],
  ['shared/http/handlers/callers/own-member.ts', '../../../data/members/read.ts'],
  ['shared/http/handlers/callers/own-member.ts', '../../problem.ts'],
  ['shared/http/handlers/problems/event-problem.ts', '../../../catalogue/save-event.ts'],
  ['shared/http/handlers/problems/event-problem.ts', '../../problem.ts'],
  ['shared/mappers/member.ts', '../data/member.ts'],
  ['shared/mappers/member.ts', '../operations/resources/member.ts'],
  ['shared/openapi/document.ts', '@valibot/to-json-schema'],
  ['shared/openapi/document.ts', '../operations/registry.ts'],
  ['functions/api/members/create-member.ts', '../../../shared/http/pipeline.ts'],
  ['functions/consumers/publish-outbox.ts', '../../shared/outbox/outbox.ts'],
  ['lib/synthesize.ts', '../shared/operations/registry.ts'],
  ['lib/synthesize.ts', 'aws-cdk-lib/aws-lambda'],
  ['lib/constructs/table.ts', '../stage-config.ts'],
  ['bin/start.ts', '../local/cloud/cloud.ts'],
  ['bin/admin.ts', '../admin/run.ts'],
  ['bin/start.ts', '../examples/demo/start-demo-site.ts'],
  ['examples/demo/start-demo-site.ts', '../office/server/office.ts'],
  ['examples/office/server/office.ts', '../../site/server/site.ts'],
  ['examples/office/browser/events.tsx', '../../site/browser/parts/page.tsx'],
  ['examples/shop/server/shop.ts', 'standardwebhooks'],
  ['examples/shop/browser/pages/events.tsx', 'preact/hooks'],
  ['examples/shop/browser/pages/events.tsx', '../state/api.ts'],
  ['admin/commands/sso.ts', '../../local/demo/sso.ts'],
  ['tools/rehearsal/rehearse.ts', '../../lib/bundle.ts'],
  ['bin/app.ts', '../lib/stacks/add-stacks.ts'],
  ['local/run/start.ts', '../../lib/bundle.ts'],
];

/** Every way to write an import of the data layer in the domain layer. */
const indirectImports = {
  'a type import': "import type { Table } from '../data/table.ts'; export type T = Table;",
  'a re-export': "export { table } from '../data/table.ts';",
  'a side-effect import': "import '../data/table.ts';",
  'a dynamic import': "export const table = await import('../data/table.ts');",
  'a dynamic import of a computed path': "const name = 'table'; export const table = await import('../data/' + name);",
  'an inline import type': "export type T = import('../data/table.ts').Table;",
  'a path that descends and climbs again': "import './basket/../../data/table.ts';",
  'a path that begins here and climbs': "import './../data/table.ts';",
  'a dynamic path that climbs again': "export const table = await import('./basket/../../data/table.ts');",
};

describe('import rules', () => {
  it('import rules allow every import of the project', () => {
    const folders = [...new Set(layers.map(({ path }) => path.split('/')[0]))];
    const files = globSync(`{${folders.join(',')}}/**/*.{ts,tsx,mjs,cjs}`);
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap((file) => refusedImports(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it.each(refused)('import rules refuse in %s an import of %s', (file, source) => {
    expect(refusedImports(file, `import '${source}';`)).toHaveLength(1);
  });

  it.each(allowed)('import rules let %s import %s', (file, source) => {
    expect(refusedImports(file, `import '${source}';`)).toEqual([]);
  });

  it.each(Object.entries(indirectImports))('import rules refuse an indirect import: %s', (_name, text) => {
    expect(refusedImports('shared/domain/stock.ts', text)).toHaveLength(1);
  });

  it('import rules refuse a type of the table in the words of a refusal', () => {
    const text = "import type { SavedEvent } from '../../../data/events/save.ts'; export type T = SavedEvent;";
    expect(refusedImports('shared/http/handlers/problems/event-problem.ts', text)).toHaveLength(1);
  });

  it('import rules say what a file may import', () => {
    expect(refusedImports('shared/domain/stock.ts', "import 'valibot';")).toEqual([
      'shared/domain/stock.ts: valibot. shared/domain may import only itself',
    ]);
    expect(refusedImports('shared/data/orders/write.ts', "import '../journal/row.ts';")).toEqual([
      'shared/data/orders/write.ts: ../journal/row.ts. Only shared/data/journal may import shared/data/journal/row.ts',
    ]);
  });
});
