import type { Failure } from '../../kernel/errors.ts';
import { isTaken, type Unique } from '../portable.ts';

/**
 * Writes a row that must be unique, such as a name. Throws `refusal` if another request took it after this one had
 * checked. Violations of other constraints are bugs and stay as they are.
 */
export async function claim<T>(unique: Unique, refusal: Failure, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isTaken(error, unique) ? refusal : error;
  }
}
