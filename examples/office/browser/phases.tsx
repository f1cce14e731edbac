import { WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { List, Phase } from '../../site/browser/resources.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { Action } from './action.tsx';
import { officeCall } from './api.ts';
import { showEvent } from './event-forms.tsx';
import type { Field, Values } from './fields.ts';
import { Form } from './form.tsx';
import type { Campaign, MembershipType, OfficeEvent, OfficePrice } from './resources.ts';

interface Choices {
  readonly prices: readonly OfficePrice[];
  readonly types: readonly MembershipType[];
  readonly campaigns: readonly Campaign[];
}

function phaseFields({ prices, types, campaigns }: Choices): readonly Field[] {
  return [
    { name: 'title', label: 'Title', kind: 'text', required: true, hint: 'Fans read it, such as Members first.' },
    { name: 'from_unix', label: 'From', kind: 'unix', hint: 'Empty: from the beginning.' },
    { name: 'until_unix', label: 'Until', kind: 'unix', hint: 'Empty: until the sale ends.' },
    {
      name: 'membership_type_ids',
      label: 'Only for members of',
      kind: 'several',
      choices: types.map((type) => ({ value: type.membership_type_id, title: type.title })),
      hint: 'One of them is enough. None: not only for members.',
    },
    {
      name: 'code_campaign_id',
      label: 'Only with a code of',
      kind: 'choice',
      choices: [
        { value: null, title: 'No code is needed' },
        ...campaigns.map((campaign) => ({ value: campaign.code_campaign_id, title: campaign.title })),
      ],
    },
    { name: 'max_per_person', label: 'Most tickets for one person', kind: 'count', hint: 'Empty: no limit.' },
    {
      name: 'price_ids',
      label: 'Only these prices',
      kind: 'several',
      isRare: true,
      choices: prices.map((price) => ({
        value: price.price_id,
        title: `${price.price_category_title}: ${price.title}`,
      })),
      hint: 'None: all prices of the event.',
    },
    { name: 'attribute_name', label: 'Attribute of the customer', kind: 'text', isRare: true, hint: 'loyalty_points' },
    { name: 'attribute_at_least', label: 'At least', kind: 'amount', isRare: true },
  ];
}

/** What a phase requires is one object for the API, and several fields here. */
const required = ['membership_type_ids', 'code_campaign_id', 'attribute_name', 'attribute_at_least'];

function withRequirements(changed: Values, all: Values): Values {
  const kept = Object.fromEntries(Object.entries(changed).filter(([name]) => !required.includes(name)));
  if (!required.some((name) => name in changed)) return kept;
  const { membership_type_ids, code_campaign_id, attribute_name: name, attribute_at_least: at_least } = all;
  const attribute = name === null ? null : { name, at_least: at_least ?? 0 };
  return { ...kept, requires: { membership_type_ids, code_campaign_id, attribute } };
}

const flat = ({ requires, ...phase }: Phase): Values => ({
  ...phase,
  ...requires,
  attribute_name: requires.attribute?.name,
  attribute_at_least: requires.attribute?.at_least,
});

interface PhaseProps {
  readonly eventId: string;
  /** The id of the phase, or `new`. */
  readonly id: string;
}

/** Creates, edits or deletes a phase of a sale. */
export function PhasePage({ eventId, id }: PhaseProps) {
  const path = `/v1/events/${eventId}`;
  const isNew = id === 'new';
  const list = async <Item,>(of: string) => (await officeCall<List<Item>>('GET', of)).data;

  async function values(): Promise<Values> {
    const found = (await list<Phase>(`${path}/phases`)).find(({ phase_id }) => String(phase_id) === id);
    if (found === undefined) throw new Error(`The event has no phase ${id}.`);
    return flat(found);
  }

  const loaded = useLoaded(
    () =>
      Promise.all([
        officeCall<OfficeEvent>('GET', path),
        list<OfficePrice>(`${path}/prices`),
        list<MembershipType>('/v1/membership_types'),
        list<Campaign>('/v1/code_campaigns'),
        isNew ? {} : values(),
      ]),
    [eventId, id],
  );
  return (
    <Page title={isNew ? 'New phase' : 'Edit the phase'}>
      <WhenLoaded of={loaded} what="the phase">
        {([event, prices, types, campaigns, first]) => (
          <>
            <p class="intro">{event.title}</p>
            <p class="hint">A price that has phases is sold only in them, to those who have all that is needed.</p>
            <Form
              fields={phaseFields({ prices, types, campaigns })}
              method={isNew ? 'POST' : 'PATCH'}
              path={isNew ? `${path}/phases` : `${path}/phases/${id}`}
              values={first}
              shape={withRequirements}
              reload={values}
              timezone={event.timezone}
              button="Save"
              onSaved={() => showEvent(eventId, 'Saved.')}
            />
            {!isNew && <DeletePhase path={`${path}/phases/${id}`} onDeleted={() => showEvent(eventId, 'Deleted.')} />}
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function DeletePhase({ path, onDeleted }: { readonly path: string; readonly onDeleted: () => void }) {
  return (
    <section>
      <p class="hint">Without any phase, everyone can buy as the prices themselves say.</p>
      <Action
        act={() => officeCall('DELETE', path).then(onDeleted)}
        ask={{
          title: 'Delete the phase?',
          text: <p>From now on, its prices are sold as the other phases say, or to everyone if there is none.</p>,
          yes: 'Delete the phase now',
        }}
      >
        Delete the phase
      </Action>
    </section>
  );
}
