import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { List } from '../../site/browser/resources.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import { showEvent } from './event-forms.tsx';
import { code, type Field, type Values } from './fields.ts';
import { Form } from './form.tsx';
import { ownCancellationBody, ownCancellationFields, withOwnCancellation } from './own-cancellation.ts';
import type { MembershipType, OfficeEvent, OfficePrice, Pool, PriceCategory } from './resources.ts';

const title: Field = { name: 'title', label: 'Title', kind: 'text', required: true };

/** What the fields of a price can choose from. */
interface Choices {
  readonly categories: readonly PriceCategory[];
  readonly pools: readonly Pool[];
  readonly types: readonly MembershipType[];
}

function priceFields({ categories, pools, types }: Choices): readonly Field[] {
  return [
    {
      name: 'price_category_id',
      label: 'Category',
      kind: 'choice',
      choices: categories.map((category) => ({ value: category.price_category_id, title: category.title })),
    },
    title,
    { name: 'price', label: 'Face price', kind: 'amount', required: true, hint: 'Such as 32.50. Orders keep theirs.' },
    { name: 'service_fee', label: 'Service fee', kind: 'amount' },
    { name: 'service_tax', label: 'Tax on the fee', kind: 'amount' },
    { name: 'capacity', label: 'Capacity', kind: 'count', hint: 'In a pool it may be empty: as many as the pool has.' },
    {
      name: 'pool_id',
      label: 'Pool',
      kind: 'choice',
      choices: [{ value: null, title: 'None' }, ...pools.map((pool) => ({ value: pool.pool_id, title: pool.title }))],
    },
    { name: 'available_from_unix', label: 'On sale from', kind: 'unix' },
    { name: 'available_until_unix', label: 'On sale until', kind: 'unix' },
    { name: 'show_online', label: 'Sold online', kind: 'yes' },
    {
      name: 'status',
      label: 'Status',
      kind: 'choice',
      choices: [
        { value: 'active', title: 'Active' },
        { value: 'inactive', title: 'Inactive: not sold' },
      ],
    },
    {
      name: 'membership_type_id',
      label: 'Who can buy',
      kind: 'choice',
      isRare: true,
      choices: [
        { value: null, title: 'Anyone' },
        ...types.map((type) => ({ value: type.membership_type_id, title: `Members: ${type.title}` })),
      ],
    },
    { name: 'max_per_order', label: 'Most in one basket', kind: 'count', isRare: true, hint: 'Empty: no limit.' },
    {
      name: 'max_per_member',
      label: 'Most for one member',
      kind: 'count',
      isRare: true,
      hint: 'In all orders together, of a price for members. Empty: no limit.',
    },
    {
      name: 'holder_names',
      label: 'Names on the tickets',
      kind: 'choice',
      isRare: true,
      choices: [
        { value: 'optional', title: 'Optional' },
        { value: 'required', title: 'Required' },
        { value: 'none', title: 'None' },
      ],
    },
    {
      name: 'names_until_hours',
      label: 'Names can change until',
      kind: 'count',
      isRare: true,
      hint: 'Hours before the start. Empty: until the start.',
    },
    {
      name: 'barcode_from_hours',
      label: 'Fans see the barcode from',
      kind: 'count',
      isRare: true,
      hint: 'Hours before the start. Empty: at once.',
    },
    {
      name: 'transfer',
      label: 'Tickets can be given away',
      kind: 'choice',
      isRare: true,
      choices: [
        { value: null, title: 'As usual: to anyone, unless only members buy' },
        { value: 'anyone', title: 'To anyone' },
        { value: 'none', title: 'Not at all' },
      ],
    },
    {
      name: 'transfer_until_hours',
      label: 'Given away until',
      kind: 'count',
      isRare: true,
      hint: 'Hours before the start. Empty: until the start.',
    },
    ...ownCancellationFields,
    {
      name: 'tickets_included',
      label: 'Tickets in one purchase',
      kind: 'count',
      isRare: true,
      hint: 'More than 1 for a group ticket.',
    },
    { name: 'rebate', label: 'Rebate', kind: 'amount', isRare: true, hint: 'Taken off the face price.' },
    {
      name: 'tax_rate',
      label: 'Tax in percent',
      kind: 'amount',
      isRare: true,
      hint: 'Contained in the price, such as 10.',
    },
    { name: 'show_boxoffice', label: 'Sold at the box office', kind: 'yes', isRare: true },
    { ...position, hint: 'Within the category, lowest first.' },
    {
      name: 'scanning_flag',
      label: 'Number for scanners',
      kind: 'count',
      isRare: true,
      hint: 'Your own devices at the gates may need it.',
    },
  ];
}

const position: Field = { name: 'order_by', label: 'Position', kind: 'count', isRare: true };
const categoryFields: readonly Field[] = [
  title,
  {
    name: 'status',
    label: 'Status',
    kind: 'choice',
    choices: [
      { value: 'active', title: 'Active' },
      { value: 'inactive', title: 'Inactive: none of its prices is sold' },
    ],
  },
  { ...position, hint: 'In the price list, lowest first.' },
];
const poolFields: readonly Field[] = [
  title,
  { name: 'capacity', label: 'Capacity', kind: 'count', required: true, hint: 'With the places that are sold.' },
];

interface PartProps {
  readonly eventId: string;
  /** Prices, pools or categories. */
  readonly part: Part;
  /** The id of what is edited, or `new`. */
  readonly id: string;
}
export type Part = keyof typeof parts;

const parts = {
  prices: { name: 'price', idField: 'price_id' },
  pools: { name: 'pool', idField: 'pool_id' },
  price_categories: { name: 'category', idField: 'price_category_id' },
} as const;

const usual: Readonly<Record<Part, Values>> = {
  prices: { show_online: true, show_boxoffice: true, status: 'active', holder_names: 'optional' },
  pools: {},
  price_categories: { status: 'active' },
};

/** Creates or edits a price, a pool or a category of an event. */
export function PartPage({ eventId, part, id }: PartProps) {
  const { name, idField } = parts[part];
  const path = `/v1/events/${eventId}`;
  const list = async <Item,>(of: string) => (await officeCall<List<Item>>('GET', of)).data;

  /** There is no operation for one of them: the list has them all. */
  async function values(): Promise<Values> {
    const all = await list<Values>(`${path}/${part}`);
    const found = all.find((item) => String(item[idField]) === id);
    if (found === undefined) throw new Error(`The event has no ${name} ${id}.`);
    // A price that is sold out is an active one.
    return withOwnCancellation(found.status === 'sold_out' ? { ...found, status: 'active' } : found);
  }

  const loaded = useLoaded(
    () =>
      Promise.all([
        officeCall<OfficeEvent>('GET', path),
        list<PriceCategory>(`${path}/price_categories`),
        list<Pool>(`${path}/pools`),
        list<MembershipType>('/v1/membership_types'),
        id === 'new' ? usual[part] : values(),
      ]),
    [eventId, part, id],
  );
  return (
    <Page title={id === 'new' ? `New ${name}` : `Edit the ${name}`}>
      <WhenLoaded of={loaded} what={`the ${name}`}>
        {([event, categories, pools, types, first]) => (
          <>
            <p class="intro">{event.title}</p>
            {part === 'prices' && categories.length === 0 && (
              <Notice tone="warning">
                <p>
                  A price belongs to a category, such as a stand.{' '}
                  <Link to={`/office/events/${eventId}/price_categories/new`}>Add one first.</Link>
                </p>
              </Notice>
            )}
            <Form<OfficePrice>
              fields={[...fieldsOf(part, { categories, pools, types }), ...(id === 'new' ? [code] : [])]}
              method={id === 'new' ? 'POST' : 'PATCH'}
              path={id === 'new' ? `${path}/${part}` : `${path}/${part}/${id}`}
              values={{ price_category_id: categories[0]?.price_category_id, ...first }}
              reload={values}
              {...(part === 'prices' && { shape: ownCancellationBody })}
              timezone={event.timezone}
              button="Save"
              onSaved={() => showEvent(eventId, 'Saved.')}
            />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function fieldsOf(part: Part, choices: Choices): readonly Field[] {
  switch (part) {
    case 'prices':
      return priceFields(choices);
    case 'pools':
      return poolFields;
    case 'price_categories':
      return categoryFields;
  }
}
