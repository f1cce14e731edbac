import { handle as createCampaign } from '../../functions/api/codes/create-code-campaign.ts';
import { handle as createSome } from '../../functions/api/codes/create-codes.ts';
import { handle as removeOne } from '../../functions/api/codes/delete-code.ts';
import { handle as listSome } from '../../functions/api/codes/list-codes.ts';
import { handle as updateCampaign } from '../../functions/api/codes/update-code-campaign.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { createCodeCampaign } from '../../shared/operations/codes/create-code-campaign.ts';
import { createCodes } from '../../shared/operations/codes/create-codes.ts';
import { deleteCode } from '../../shared/operations/codes/delete-code.ts';
import { listCodes } from '../../shared/operations/codes/list-codes.ts';
import { updateCodeCampaign } from '../../shared/operations/codes/update-code-campaign.ts';
import { checkoutDepsOf } from './baskets.ts';
import { callOperation, type OperationResponse } from './call-operation.ts';
import { refundOrder } from './faults/refund-crash-scenario.ts';

/** The operations of codes, as the office of an organisation calls them. Codes are named by their word. */
export class CodeOffice {
  readonly orgId: string;
  readonly #base: { readonly table: Table; readonly bearer: string; readonly nowMs: number };
  readonly #campaigns = new Map<string, string>();

  constructor(table: Table, orgId: string, bearer: string) {
    this.orgId = orgId;
    this.#base = { table, bearer, nowMs: Date.UTC(2026, 10, 7, 12) };
  }

  campaign(fields: object): Promise<OperationResponse> {
    return callOperation(createCodeCampaign, createCampaign, { ...this.#base, body: { title: 'Campaign', ...fields } });
  }

  codes(campaignId: string, body: object): Promise<OperationResponse> {
    return callOperation(createCodes, createSome, { ...this.#base, params: { code_campaign_id: campaignId }, body });
  }

  list(campaignId: string, query: Record<string, string> = {}): Promise<OperationResponse> {
    return callOperation(listCodes, listSome, { ...this.#base, params: { code_campaign_id: campaignId }, query });
  }

  /** A campaign with one word. Returns the word as it is stored. */
  async word(text: string, fields: object): Promise<string> {
    const campaign = await this.campaign(fields);
    if (campaign.status !== 201) throw new Error(JSON.stringify(campaign.body));
    const id = String(campaign.body.code_campaign_id);
    const { status, body } = await this.codes(id, { code: text });
    if (status !== 201) throw new Error(JSON.stringify(body));
    const [code] = body.data as { readonly code: string }[];
    this.#campaigns.set(String(code?.code), id);
    return String(code?.code);
  }

  update(word: string, body: object): Promise<OperationResponse> {
    return callOperation(updateCodeCampaign, updateCampaign, { ...this.#base, params: this.#of(word), body });
  }

  deleteCode(text: string): Promise<OperationResponse> {
    const params = { ...this.#of(text.toUpperCase()), code: text };
    return callOperation(deleteCode, removeOne, { ...this.#base, params });
  }

  async usesOf(word: string): Promise<unknown> {
    const { body } = await this.list(String(this.#campaigns.get(word)));
    const [code] = body.data as { readonly uses: unknown }[];
    return code?.uses;
  }

  async refund(orderId: string): Promise<void> {
    const deps = checkoutDepsOf(this.#base.table, this.orgId);
    await refundOrder(deps, { orderId: Number(orderId), tickets: 'all' });
  }

  #of(word: string) {
    return { code_campaign_id: String(this.#campaigns.get(word)) };
  }
}
