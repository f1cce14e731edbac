import { Link } from '../parts/link.tsx';
import { Notice, WhenLoaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import type { List } from '../resources.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { officeCall } from './api.ts';
import { showEvent } from './event-forms.tsx';
import type { Field, Values } from './fields.ts';
import { Form } from './form.tsx';
import type { OfficeEvent, OfficePrice, Pool, PriceCategory } from './resources.ts';

const title: Field = { name: 'title', label: 'Title', kind: 'text', required: true };

function priceFields(categories: readonly PriceCategory[], pools: readonly Pool[]): readonly Field[] {
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
  ];
}

const categoryFields = [title];
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
  prices: { show_online: true, status: 'active' },
  pools: {},
  price_categories: {},
};

/** Creates or edits a price, a pool or a category of an event. */
export function PartPage({ eventId, part, id }: PartProps) {
  const { name, idField } = parts[part];
  const path = `/v1/events/${eventId}`;
  const list = <Item,>(of: string) => officeCall<List<Item>>('GET', `${path}/${of}`);

  /** There is no operation for one of them: the list has them all. */
  async function values(): Promise<Values> {
    const { data } = await list<Values>(part);
    const found = data.find((item) => String(item[idField]) === id);
    if (found === undefined) throw new Error(`The event has no ${name} ${id}.`);
    // A price that is sold out is an active one.
    return found.status === 'sold_out' ? { ...found, status: 'active' } : found;
  }

  const loaded = useLoaded(
    () =>
      Promise.all([
        officeCall<OfficeEvent>('GET', path),
        list<PriceCategory>('price_categories'),
        list<Pool>('pools'),
        id === 'new' ? usual[part] : values(),
      ]),
    [eventId, part, id],
  );
  return (
    <Page title={id === 'new' ? `New ${name}` : `Edit the ${name}`}>
      <WhenLoaded of={loaded} what={`the ${name}`}>
        {([event, categories, pools, first]) => (
          <>
            <p class="intro">{event.title}</p>
            {part === 'prices' && categories.data.length === 0 && (
              <Notice tone="warning">
                <p>
                  A price belongs to a category, such as a stand.{' '}
                  <Link to={`/office/events/${eventId}/price_categories/new`}>Add one first.</Link>
                </p>
              </Notice>
            )}
            <Form<OfficePrice>
              fields={fieldsOf(part, categories.data, pools.data)}
              method={id === 'new' ? 'POST' : 'PATCH'}
              path={id === 'new' ? `${path}/${part}` : `${path}/${part}/${id}`}
              values={{ price_category_id: categories.data[0]?.price_category_id, ...first }}
              reload={values}
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

function fieldsOf(part: Part, categories: readonly PriceCategory[], pools: readonly Pool[]): readonly Field[] {
  switch (part) {
    case 'prices':
      return priceFields(categories, pools);
    case 'pools':
      return poolFields;
    case 'price_categories':
      return categoryFields;
  }
}
