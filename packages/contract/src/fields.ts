import { Type } from './type.ts';

/** Users and organizations share one namespace, so their names follow one pattern. */
export const ownerNamePattern = '^[a-zA-Z0-9-_.]{1,100}$';

export const OwnerName = Type.String({
  pattern: ownerNamePattern,
  description: 'Letters, digits, "-", "_" and ".". At most 100 characters, and unique among users and organizations.',
});
export const Email = Type.String({ format: 'email', maxLength: 254 });
export const DisplayName = Type.String({ minLength: 1, maxLength: 128, pattern: '\\S' });
export const Description = Type.String({ maxLength: 1000 });
export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 256;
export const Password = Type.String({ minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX });
export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
export const Uuid = Type.String({ format: 'uuid' });

export const avatarUpload = {
  field: 'avatar',
  maxBytes: 1_048_576,
  types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
} as const;
export const AVATAR_MAX_PIXELS = 4096;

/** For path segments: an unknown name is a 404, so only the length is checked. */
export const PathName = Type.String({ minLength: 1, maxLength: 100 });
export const AppPath = { owner_name: PathName, app_name: PathName };
export const OrgPath = { org_name: PathName };
