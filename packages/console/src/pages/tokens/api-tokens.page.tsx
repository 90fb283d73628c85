import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTokens } from '../../api/tokens.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { DeleteTokens } from './delete-tokens.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { TokenTable } from './token-table.tsx';

export default function ApiTokensPage() {
  const tokens = useTokens();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isCreating, creating] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
  const chosen = (tokens.data ?? []).filter(({ id }) => selected.has(id));
  return (
    <Page
      title="API tokens"
      lead="A token lets a script or a tool act as you, in the header X-API-Token. Delete those that are no longer used."
      actions={
        <Group gap="sm">
          {chosen.length > 0 && (
            <Button variant="default" leftSection={<IconTrash size={16} />} onClick={deleting.open}>
              Delete {chosen.length}
            </Button>
          )}
          <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
            New API token
          </Button>
        </Group>
      }
    >
      <Loaded reading={tokens}>
        {(rows) =>
          rows.length > 0 ? (
            <TokenTable tokens={rows} selected={selected} onSelect={setSelected} />
          ) : (
            <Empty icon={<IconKey size={32} aria-hidden />}>
              You have no API tokens. Press “New API token” to make one for a script, a build server or a tool.
            </Empty>
          )
        }
      </Loaded>
      <NewTokenDialog opened={isCreating} onClose={creating.close} />
      {isDeleting && <DeleteTokens tokens={chosen} onClose={deleting.close} />}
    </Page>
  );
}
