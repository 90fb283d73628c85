import { Type } from '../type.ts';

/** A device that a runner can run tests on. */
export const RunnerDevice = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 100, description: 'A stable key that the runner chooses.' }),
  manufacturer: Type.String({ minLength: 1, maxLength: 64 }),
  model: Type.String({ minLength: 1, maxLength: 64 }),
  platform: Type.Enum(['android', 'ios']),
  os: Type.String({ minLength: 1, maxLength: 32, description: 'The version, such as "8.1.0".' }),
  form_factor: Type.Enum(['phone', 'tablet']),
  is_emulated: Type.Boolean({ description: 'True for a device that is emulated in a browser.' }),
  frameworks: Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: 16 }),
  resolution: Type.Optional(Type.Object({ width: Type.Integer({ minimum: 1 }), height: Type.Integer({ minimum: 1 }) })),
});
