import Type, { type TSchema } from 'typebox';

/** The most that one page may hold. */
export const MAX_PAGE = 200;

export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 50, description: 'How many at most.' })),
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: 'The next_cursor of the page before; absent for the first page.' }),
  ),
};

export const Page = <T extends TSchema>(item: T) =>
  Type.Object({
    values: Type.Array(item),
    next_cursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
  });
