import { Link } from '../../site/browser/parts/link.tsx';
import { WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { List, Organisation } from '../../site/browser/resources.ts';
import { navigate } from '../../site/browser/state/router.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import { code, type Field, type Values } from './fields.ts';
import { Form } from './form.tsx';
import { leaveMessage } from './message.ts';

/** What a season needs before its first event or membership. */
const parts = {
  venues: {
    name: 'venue',
    idField: 'venue_id',
    titleField: 'venue_name',
    fields: [
      { name: 'venue_name', label: 'Name', kind: 'text', required: true, hint: 'Its events follow in minutes.' },
    ],
    usual: {},
  },
  membership_payment_options: {
    name: 'payment option',
    idField: 'membership_payment_option_id',
    titleField: 'title',
    fields: [
      { name: 'title', label: 'Title', kind: 'text', required: true },
      {
        name: 'number_of_instalments',
        label: 'Monthly instalments',
        kind: 'count',
        hint: '0 or 1: paid in full. Memberships that were bought keep their plan.',
      },
      { name: 'auto_renewal', label: 'Renews automatically', kind: 'choice', choices: yesOrNo('Yes', 'No') },
      {
        name: 'fixed_end_date',
        label: 'Everything is paid before',
        kind: 'unix',
        hint: 'Empty: before the term ends.',
      },
      {
        name: 'status',
        label: 'Status',
        kind: 'choice',
        choices: yesOrNo('Active', 'Inactive: nobody can choose it, and this list leaves it out'),
      },
      { name: 'order_by', label: 'Position', kind: 'count', isRare: true, hint: 'In the list, lowest first.' },
    ],
    usual: { number_of_instalments: 1, auto_renewal: 0, status: 1 },
  },
} as const satisfies Readonly<Record<string, SeasonPart>>;

export type SeasonPartName = keyof typeof parts;

interface SeasonPart {
  readonly name: string;
  readonly idField: string;
  readonly titleField: string;
  readonly fields: readonly Field[];
  readonly usual: Values;
}

function yesOrNo(yes: string, no: string): readonly { readonly value: number; readonly title: string }[] {
  return [
    { value: 1, title: yes },
    { value: 0, title: no },
  ];
}

const pageOf = (part: SeasonPartName, id: string): string => `/office/season/${part}/${encodeURIComponent(id)}`;
const listOf = async (part: SeasonPartName) => (await officeCall<List<Values>>('GET', `/v1/${part}`)).data;

/** The venues and the payment options of memberships. */
export function SeasonPage() {
  const loaded = useLoaded(() => Promise.all([listOf('venues'), listOf('membership_payment_options')]), []);
  return (
    <Page title="Season" intro="What events and memberships need first.">
      <WhenLoaded of={loaded} what="the season">
        {([venues, options]) => (
          <>
            <PartList title="Venues" part="venues" items={venues} />
            <PartList title="Payment options of memberships" part="membership_payment_options" items={options} />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

interface PartListProps {
  readonly title: string;
  readonly part: SeasonPartName;
  readonly items: readonly Values[];
}

function PartList({ title, part, items }: PartListProps) {
  const { name, idField, titleField } = parts[part];
  return (
    <section>
      <h2>{title}</h2>
      <ul class="lines">
        {items.map((item) => (
          <li key={String(item[idField])} class="line">
            <Link to={pageOf(part, String(item[idField]))}>{String(item[titleField])}</Link>
          </li>
        ))}
      </ul>
      <p>
        <Link to={pageOf(part, 'new')} class="button">
          New {name}
        </Link>
      </p>
    </section>
  );
}

interface SeasonFormProps {
  readonly part: SeasonPartName;
  /** The id of what is edited, or `new`. */
  readonly id: string;
  readonly organisation: Organisation;
}

/** Creates or edits a venue or a payment option. */
export function SeasonFormPage({ part, id, organisation }: SeasonFormProps) {
  const { name, idField, fields, usual }: SeasonPart = parts[part];
  const isNew = id === 'new';

  /** There is no operation for one of them: the list has them all. */
  async function values(): Promise<Values> {
    const found = (await listOf(part)).find((item) => String(item[idField]) === id);
    if (found === undefined) throw new Error(`There is no ${name} ${id} in the list.`);
    return found;
  }

  const loaded = useLoaded(async () => (isNew ? usual : await values()), [part, id]);
  return (
    <Page title={isNew ? `New ${name}` : `Edit the ${name}`}>
      <WhenLoaded of={loaded} what={`the ${name}`}>
        {(first) => (
          <Form
            fields={isNew ? [...fields, code] : fields}
            method={isNew ? 'POST' : 'PATCH'}
            path={isNew ? `/v1/${part}` : `/v1/${part}/${encodeURIComponent(id)}`}
            values={first}
            reload={values}
            timezone={organisation.timezone}
            button="Save"
            onSaved={() => {
              leaveMessage('Saved.');
              navigate('/office/season');
            }}
          />
        )}
      </WhenLoaded>
    </Page>
  );
}
