import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { TokenScope } from '@mooring/contract';
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type ApiToken, type TokenOperations, useArrangedTokens } from '../../api/account/tokens.ts';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { useListQuery } from '../../components/tables/table-state.ts';
import { formatCount } from '../../components/text/format-count.ts';
import { DeleteTokens } from './delete-tokens.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { appColumn, makerColumn, tokenColumns } from './token-columns.tsx';
import { getTokenName } from './token-labels.ts';

export interface TokenListProps {
  title: string;
  description: ReactNode;
  operations: TokenOperations;
  /** Access levels that the user can create, with descriptions; undefined if none. */
  access?: Partial<Record<TokenScope, string>>;
  /** Hint to a more suitable type of token. */
  advice?: ReactNode;
  /** Filters the tokens that the user may delete; by default all. */
  canDelete?: (token: ApiToken) => boolean;
  /** True if tokens can be limited to apps. */
  hasApps?: boolean;
  /** Shows the creator of each token. */
  hasMakers?: boolean;
}

/** API tokens of one owner. */
export function TokenList({
  title,
  description,
  operations,
  access,
  advice,
  canDelete = () => true,
  hasApps,
  hasMakers,
}: TokenListProps) {
  const tokens = useArrangedTokens(
    operations,
    useListQuery(['description', 'scope', 'last_four', 'created_by', 'created_at', 'last_used_at', 'expires_at']),
  );
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isCreating, creating] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
  const chosen = (tokens.data ?? []).filter(({ id }) => selected.has(id));
  return (
    <Page
      title={title}
      description={description}
      actions={
        <Group gap="sm">
          {chosen.length > 0 && (
            <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={deleting.open}>
              Delete {formatCount(chosen.length, 'token')}
            </Button>
          )}
          {access && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
              New API token
            </Button>
          )}
        </Group>
      }
    >
      <DataTable
        id="token-list"
        label="API tokens"
        isServers
        query={tokens}
        columns={[
          ...tokenColumns,
          ...(hasMakers ? [makerColumn] : []),
          ...(tokens.data?.some(({ app }) => app) ? [appColumn] : []),
        ]}
        rowKey={({ id }) => id}
        search="Search API tokens"
        selection={{
          selected,
          onSelect: setSelected,
          canSelect: canDelete,
          rowName: (token) => `${getTokenName(token)} …${token.last_four}`,
        }}
        empty={
          <EmptyState
            icon={<IconKey size={32} aria-hidden />}
            action={access && <Button onClick={creating.open}>Create API token</Button>}
          >
            No API tokens yet{access && '. Create one for a script, a build server or a tool.'}
          </EmptyState>
        }
      />
      {access && operations.create && (
        <NewTokenDialog
          operations={{ ...operations, create: operations.create }}
          access={access}
          hasApps={hasApps}
          advice={advice}
          opened={isCreating}
          onClose={creating.close}
        />
      )}
      {isDeleting && <DeleteTokens operations={operations} tokens={chosen} onClose={deleting.close} />}
    </Page>
  );
}
