import type * as common from '../../../kernel/filter/filter-ast.ts';
import type { FilterProperty } from './event-properties.ts';

/** The syntax tree of a $filter for health events. */
export type FilterNode = common.FilterNode<FilterProperty>;
