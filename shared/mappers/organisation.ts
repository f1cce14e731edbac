import type { OrganisationRecord } from '../data/organisations/organisation.ts';
import { countryName } from '../domain/organisations/country-names.ts';
import type { Organisation } from '../operations/schemas/organisation.ts';

export function organisationResource(record: OrganisationRecord): Organisation {
  return {
    org_id: record.orgId,
    name: record.name,
    company: record.company,
    business_number: record.businessNumber,
    payment_account_id: record.paymentAccountId,
    country: record.country,
    country_name: countryName(record.country) ?? record.country,
    timezone: record.timezone,
    locale: record.locale,
    logo_image: record.logoImage,
    background_image: record.backgroundImage,
    favicon: record.favicon,
    background_color: record.backgroundColor,
  };
}
