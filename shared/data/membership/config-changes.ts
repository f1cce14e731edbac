import type { MemberTypeCopy } from '../members/refresh.ts';
import type { MembershipConfig } from './config.ts';
import type { TypeRecord } from './config-rows.ts';

/** Returns the fields of a type that its members contain a copy of. */
export function memberTypeCopy(
  { categories }: MembershipConfig,
  { typeId, title, categoryId }: TypeRecord,
): MemberTypeCopy {
  const category = categories.get(categoryId);
  return {
    typeId,
    typeTitle: title,
    categoryId,
    categoryTitle: category?.title ?? '',
    seatMapId: category?.seatMapId ?? null,
  };
}

/** Returns the types whose members have to be rewritten because their copies are outdated. */
export function affectedTypes(before: MembershipConfig, after: MembershipConfig): readonly MemberTypeCopy[] {
  return [...after.types.values()].flatMap((type) => {
    const previous = before.types.get(type.typeId);
    if (previous === undefined) return [];
    const [was, is] = [memberTypeCopy(before, previous), memberTypeCopy(after, type)];
    return isSame(was, is) ? [] : [is];
  });
}

function isSame(a: MemberTypeCopy, b: MemberTypeCopy): boolean {
  return (
    a.typeTitle === b.typeTitle &&
    a.categoryId === b.categoryId &&
    a.categoryTitle === b.categoryTitle &&
    a.seatMapId === b.seatMapId
  );
}
