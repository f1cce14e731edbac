import { readLinks, removeLink } from '../../shared/data/sso/links.ts';
import { linkDocument } from '../output/sso-link.ts';
import type { PersonSection } from './section.ts';

/** The users of identity providers that are linked to the customer. */
export const ssoLinksSection: PersonSection = {
  name: 'sso_links',
  async collect({ table, orgId, customer }) {
    return (await readLinks(table, orgId, customer.userId)).map(linkDocument);
  },
  async erase({ table, orgId, customer }) {
    const links = await readLinks(table, orgId, customer.userId);
    for (const link of links) await removeLink(table, orgId, link);
    return links.length;
  },
};
