import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { TokenScope } from '@mooring/contract';
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type ApiToken, type TokenOperations, useArrangedTokens } from '../../api/tokens.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page } from '../../parts/page.tsx';
import { useListQuery } from '../../parts/table-state.ts';
import { DeleteTokens } from './delete-tokens.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { appColumn, makerColumn, tokenColumns } from './token-columns.tsx';
import { nameOf } from './token-words.ts';

export interface TokenListProps {
  title: string;
  lead: ReactNode;
  operations: TokenOperations;
  /** What the reader may create here, each with what it may do, in plain words; nothing, if left out. */
  access?: Partial<Record<TokenScope, string>>;
  /** Recommends another kind of token where that fits better. */
  advice?: ReactNode;
  /** Whose tokens the reader may delete; all, if left out. */
  canDelete?: (token: ApiToken) => boolean;
  /** Shows who made each token. */
  hasMakers?: boolean;
}

/** The tokens of one owner: made, shown, and revoked. */
export function TokenList({
  title,
  lead,
  operations,
  access,
  advice,
  canDelete = () => true,
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
      lead={lead}
      actions={
        <Group gap="sm">
          {chosen.length > 0 && (
            <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={deleting.open}>
              Delete {chosen.length.toLocaleString()}
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
        label="API tokens"
        isServers
        reading={tokens}
        columns={[
          ...tokenColumns,
          ...(hasMakers ? [makerColumn] : []),
          ...(tokens.data?.some(({ app }) => app) ? [appColumn] : []),
        ]}
        keyOf={({ id }) => id}
        search="Search API tokens"
        selection={{
          selected,
          onSelect: setSelected,
          canSelect: canDelete,
          nameOf: (token) => `${nameOf(token)} …${token.last_four}`,
        }}
        empty={
          <Empty
            icon={<IconKey size={32} aria-hidden />}
            action={access && <Button onClick={creating.open}>Create an API token</Button>}
          >
            There are no API tokens{access ? ' yet. Create one for a script, a build server or a tool.' : '.'}
          </Empty>
        }
      />
      {access && operations.create && (
        <NewTokenDialog
          operations={{ ...operations, create: operations.create }}
          access={access}
          advice={advice}
          opened={isCreating}
          onClose={creating.close}
        />
      )}
      {isDeleting && <DeleteTokens operations={operations} tokens={chosen} onClose={deleting.close} />}
    </Page>
  );
}
