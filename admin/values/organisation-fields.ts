import type { OrganisationChange } from '../../shared/data/organisations/organisation.ts';
import type { Arguments } from '../arguments.ts';
import type { Option } from '../command.ts';
import { colour, country, imageAddress, timezone } from './organisation.ts';
import { clearable, line } from './values.ts';

/** The fields of an organisation that the platform team sets, the same in create and update. */
export const fieldOptions: readonly Option[] = [
  { name: 'name', value: 'NAME', help: 'The name that fans know.' },
  { name: 'country', value: 'CODE', help: 'ISO 3166-1 alpha-2, such as AU.' },
  { name: 'timezone', value: 'ZONE', help: 'IANA name, such as Australia/Melbourne.' },
  { name: 'company', value: 'NAME', help: 'Registered name of the legal entity.' },
  { name: 'business-number', value: 'NUMBER', help: 'Registration number of the legal entity, such as an ABN.' },
  { name: 'payment-account', value: 'ID', help: 'Its account at the payment provider.' },
  { name: 'logo-image', value: 'URL', help: 'https address of the logo.' },
  { name: 'background-image', value: 'URL', help: 'https address of the background.' },
  { name: 'favicon', value: 'URL', help: 'https address of the icon.' },
  { name: 'background-color', value: 'COLOUR', help: 'CSS colour, such as #0b2545.' },
];

/** The fields that were named; the others are undefined. */
export function readFields(args: Arguments): OrganisationChange {
  const text = clearable(line(200));
  const image = clearable(imageAddress);
  return {
    name: args.optional('name', line(200)),
    country: args.optional('country', country),
    timezone: args.optional('timezone', timezone),
    company: args.optional('company', text),
    businessNumber: args.optional('business-number', text),
    paymentAccountId: args.optional('payment-account', text),
    logoImage: args.optional('logo-image', image),
    backgroundImage: args.optional('background-image', image),
    favicon: args.optional('favicon', image),
    backgroundColor: args.optional('background-color', clearable(colour)),
  };
}
