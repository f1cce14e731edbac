import type { TypeOfMembers } from '../members/refresh.ts';
import type { MembershipConfig } from './config.ts';
import type { TypeRecord } from './config-rows.ts';

/** What the members of a type carry of it. */
export function typeOfMembers(
  { categories }: MembershipConfig,
  { typeId, title, categoryId }: TypeRecord,
): TypeOfMembers {
  const category = categories.get(categoryId);
  return {
    typeId,
    typeTitle: title,
    categoryId,
    categoryTitle: category?.title ?? '',
    seatMapId: category?.seatMapId ?? null,
  };
}

/** The types whose members have to be rewritten, because they carry something that is no longer so. */
export function typesAffected(before: MembershipConfig, after: MembershipConfig): readonly TypeOfMembers[] {
  return [...after.types.values()].flatMap((type) => {
    const earlier = before.types.get(type.typeId);
    if (earlier === undefined) return [];
    const [was, is] = [typeOfMembers(before, earlier), typeOfMembers(after, type)];
    return isSame(was, is) ? [] : [is];
  });
}

function isSame(a: TypeOfMembers, b: TypeOfMembers): boolean {
  return (
    a.typeTitle === b.typeTitle &&
    a.categoryId === b.categoryId &&
    a.categoryTitle === b.categoryTitle &&
    a.seatMapId === b.seatMapId
  );
}
