import type { Failure } from '../kernel/errors.ts';
import { isTaken, type Unique } from './portable.ts';

/**
 * Writes something of which there may be one only, such as a name, and refuses if somebody else took it after this request
 * had looked. Whatever else is there twice is a fault of ours, and stays one.
 */
export async function claim<T>(unique: Unique, refusal: Failure, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isTaken(error, unique) ? refusal : error;
  }
}
