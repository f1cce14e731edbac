import { useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { List, Organisation } from '../../site/browser/resources.ts';
import { navigate } from '../../site/browser/state/router.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { Action } from './action.tsx';
import { officeCall } from './api.ts';
import { coverageOf } from './campaign-coverage.ts';
import { campaignFields, readSold } from './campaign-fields.ts';
import { CursorPages } from './cursor-pages.tsx';
import type { Field, Values } from './fields.ts';
import { Form } from './form.tsx';
import type { Campaign, CampaignCode } from './resources.ts';

const path = '/v1/code_campaigns';

/** The effect is one object for the API, and two fields here. Without hidden prices the list is empty, and not null. */
function withEffect({ kind, value, reveals_price_ids: hidden, ...fields }: Values, all: Values): Values {
  const others = hidden === undefined ? fields : { ...fields, reveals_price_ids: hidden ?? [] };
  if (kind === undefined && value === undefined) return others;
  return { ...others, effect: { kind: all.kind, ...(all.value !== null && { value: all.value }) } };
}

const flat = ({ effect, ...campaign }: Campaign): Values => ({
  ...campaign,
  kind: effect.kind,
  value: effect.kind === 'none' ? null : effect.value,
});

/** What the codes of a campaign do, in words. */
function effectOf({ effect: { kind, value }, uses_per_code }: Campaign): string {
  const texts = { percent: `${value} % off`, amount: `${value} off`, fixed_price: `costs ${value}`, none: 'opens' };
  const uses = uses_per_code === null ? 'without a limit' : `each ${uses_per_code} times`;
  return `${texts[kind]} · ${uses}`;
}

/** Every campaign of the organisation, the newest first. */
export function CampaignsPage() {
  const loaded = useLoaded(() => officeCall<List<Campaign>>('GET', path), []);
  return (
    <Page
      title="Codes"
      intro="A campaign has codes that people type in the shop: for a discount, or to buy what others do not see."
    >
      <WhenLoaded of={loaded} what="the campaigns">
        {({ data }) => (
          <>
            <p>
              <Link to="/office/campaigns/new" class="button">
                New campaign
              </Link>
            </p>
            {data.length === 0 && <Notice title="No codes yet" />}
            <ul class="lines">
              {data.map((campaign) => (
                <li key={campaign.code_campaign_id} class="line">
                  <span>
                    <Link to={`/office/campaigns/${campaign.code_campaign_id}`}>{campaign.title}</Link>
                    <span class="hint">{effectOf(campaign)}</span>
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

interface CampaignProps {
  /** The id of the campaign, or `new`. */
  readonly id: string;
  readonly organisation: Organisation;
}

/** Creates or edits a campaign, and makes its codes. */
export function CampaignPage({ id, organisation }: CampaignProps) {
  const isNew = id === 'new';
  const values = async (): Promise<Values> => flat(await officeCall<Campaign>('GET', `${path}/${id}`));
  const loaded = useLoaded(() => Promise.all([isNew ? { kind: 'percent' } : values(), readSold()]), [id]);
  return (
    <Page title={isNew ? 'New campaign' : 'Campaign'}>
      <WhenLoaded of={loaded} what="the campaign">
        {([first, sold]) => (
          <>
            <Form<Campaign>
              fields={campaignFields(sold, first)}
              method={isNew ? 'POST' : 'PATCH'}
              path={isNew ? path : `${path}/${id}`}
              values={first}
              shape={withEffect}
              reload={values}
              timezone={organisation.timezone}
              button="Save"
              summary={(all) => (
                <>
                  <p class="notice-title">What you are about to save</p>
                  {coverageOf(sold, all, organisation.timezone).map((sentence) => (
                    <p key={sentence}>{sentence}</p>
                  ))}
                </>
              )}
              onSaved={(saved) => navigate(`/office/campaigns/${saved?.code_campaign_id ?? id}`)}
            />
            {!isNew && <Codes campaignId={id} timezone={organisation.timezone} />}
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

const codeFields: readonly Field[] = [
  { name: 'code', label: 'A word that many share', kind: 'text', hint: 'Such as EARLY10. Or leave it empty, and' },
  { name: 'count', label: 'Make so many single codes', kind: 'count', hint: 'At most 500 at a time.' },
];

function Codes({ campaignId, timezone }: { readonly campaignId: string; readonly timezone: string }) {
  const [changes, setChanges] = useState(0);
  const ofCampaign = `${path}/${campaignId}/codes`;
  const remove = async (code: string): Promise<void> => {
    await officeCall('DELETE', `${ofCampaign}/${encodeURIComponent(code)}`);
    setChanges(changes + 1);
  };
  return (
    <section class="stack">
      <h2>Codes</h2>
      <CursorPages<CampaignCode>
        key={`codes ${changes}`}
        path={`${ofCampaign}?limit=100`}
        what="the codes"
        more="More codes"
        empty={() => null}
      >
        {({ code, uses }) => (
          <li key={code} class="line">
            <span>
              <code>{code}</code>
              <span class="hint">{uses === null ? 'not counted' : `used ${uses} times`}</span>
            </span>
            <Action
              act={() => remove(code)}
              ask={{
                title: `Delete the code ${code}?`,
                text: <p>Nobody can use it any more, and it cannot be made again.</p>,
                yes: 'Delete the code',
              }}
            >
              Delete <span class="visually-hidden">{code}</span>
            </Action>
          </li>
        )}
      </CursorPages>
      <Form
        key={`form ${changes}`}
        fields={codeFields}
        method="POST"
        path={ofCampaign}
        values={{}}
        timezone={timezone}
        button="Make codes"
        onSaved={() => setChanges(changes + 1)}
      />
    </section>
  );
}
