import { useState } from 'preact/hooks';
import type { InvoiceAddress } from '../resources.ts';
import { Field } from './field.tsx';

interface AddressProps {
  readonly address: InvoiceAddress;
  readonly onChange: (address: InvoiceAddress) => void;
}

const fields = [
  ['company', 'Company', 'organization'],
  ['address', 'Street and number', 'street-address'],
  ['postcode', 'Postcode', 'postal-code'],
  ['city', 'City', 'address-level2'],
  ['country', 'Country, as two letters such as AU', 'country'],
  ['tax_id', 'Tax id', 'off'],
  ['reference', 'Your reference, such as an order number', 'off'],
] as const;

/** Asks for whom the receipt is made out to, for those who need it. The service checks it: a closed part of a form cannot show its problems. */
export function InvoiceAddressFields({ address, onChange }: AddressProps) {
  const [isOpen] = useState(companyOf(address) !== undefined);
  return (
    <details class="card" {...(isOpen && { open: true })}>
      <summary>Do you need a receipt for a company?</summary>
      {fields.map(([name, label, autoComplete]) => (
        <Field
          key={name}
          label={label}
          required={false}
          value={address[name] ?? ''}
          autoComplete={autoComplete}
          onChange={(text) => onChange({ ...address, [name]: name === 'country' ? text.toUpperCase() : text })}
        />
      ))}
    </details>
  );
}

/** The address that a checkout sends; undefined if nothing was filled in. */
export function companyOf(address: InvoiceAddress): InvoiceAddress | undefined {
  return Object.values(address).some((text) => text.trim() !== '') ? address : undefined;
}
