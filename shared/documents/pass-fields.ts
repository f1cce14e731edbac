const onPhones: Readonly<Record<string, string>> = { memberNumber: 'number', validUntil: 'valid_until' };

/** The name that a field has had on phones: a device compares a field with the one before by its name. */
export const passKeyOf = (key: string): string => onPhones[key] ?? key;
