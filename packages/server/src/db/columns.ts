/** What makes a person, wherever `users` is joined with `owners`. */
export const personColumns = [
  'users.id',
  'owners.name',
  'owners.display_name',
  'users.email',
  'owners.avatar_url',
  'users.is_admin',
] as const;
