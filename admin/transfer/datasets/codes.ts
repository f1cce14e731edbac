import * as v from 'valibot';
import { listCampaigns } from '../../../shared/data/codes/campaigns.ts';
import { createCodes, listCodes, newCodeRecord, readCode } from '../../../shared/data/codes/codes.ts';
import { type CodeCampaign, isCode, normalizeCode } from '../../../shared/domain/codes/campaign.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { campaignByTitle, noteSharedTitles } from '../campaign-titles.ts';
import * as column from '../columns.ts';
import { defineDataset, type TransferContext } from '../dataset.ts';

const CodeRow = v.strictObject({
  code: v.pipe(
    column.name(200),
    v.transform(normalizeCode),
    v.check(isCode, 'must be 3 to 40 letters, digits, hyphens and underscores'),
  ),
  campaign_title: column.name(200),
});
type CodeRow = v.InferOutput<typeof CodeRow>;

/** Codes without their uses: those belong to baskets and orders. Deleted ones are left out. */
export const codes = defineDataset({
  name: 'codes',
  plural: 'codes',
  key: 'code',
  parentKey: 'campaign_title',
  schema: CodeRow,
  async open(context) {
    const { table, orgId, clock } = context;
    const campaigns = await listCampaigns(table, orgId, { consistent: true });
    return {
      defaults: {},
      async find(code) {
        const found = await readCode(table, orgId, code);
        const campaign = campaigns.find(({ campaignId }) => campaignId === found?.campaignId);
        return campaign && { code, campaign_title: campaign.title };
      },
      async save({ code, campaign_title }, _isGiven, tried) {
        const campaign = campaignByTitle(campaigns, campaign_title);
        if (campaign === undefined) return { rejected: `campaign_title "${campaign_title}" does not exist.` };
        if ('rejected' in campaign) return campaign;
        const found = await readCode(table, orgId, code);
        if (found !== undefined) {
          const isSame = found.campaignId === campaign.campaignId && found.deletedUnix === null;
          return isSame ? 'unchanged' : { rejected: 'The code belongs to another campaign, or was deleted.' };
        }
        const { usesPerCode } = campaign;
        const records = [newCodeRecord(orgId, campaign, code, unixSeconds(clock))];
        const isCreated = await tried.send('created', () =>
          createCodes(table, orgId, { codes: records, usesPerCode }, []),
        );
        return isCreated ? 'created' : { rejected: 'The code was created meanwhile. Import the row again.' };
      },
    };
  },
  total: async ({ table, orgId }) => (await listCampaigns(table, orgId)).length,
  countsParents: true,
  async *rows(context, note) {
    const campaigns = await listCampaigns(context.table, context.orgId);
    noteSharedTitles(campaigns, note);
    for (const campaign of campaigns.toReversed()) yield* codesOf(context, campaign);
  },
});

async function* codesOf({ table, orgId }: TransferContext, campaign: CodeCampaign): AsyncGenerator<CodeRow> {
  let after: string | undefined;
  do {
    const page = await listCodes(table, { orgId, campaign, after, limit: 100 });
    yield* page.codes.map(({ code: { code } }) => ({ code, campaign_title: campaign.title }));
    after = page.next;
  } while (after !== undefined);
}
