import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';

/** Search, filters and sort order of a table (from the URL), and its hidden columns. */
interface View {
  name: string;
  query: string;
  hidden: string[];
}

/** Longer lists of views would not be usable. */
const MAX_VIEWS = 20;
const MAX_NAME_LENGTH = 60;

interface SavedViewsProps {
  /** ID of the table. */
  table: string;
  hidden: string[];
  onHide: (ids: string[]) => void;
}

/** Named views of a table, stored in this browser. */
export function SavedViews({ table, hidden, onHide }: SavedViewsProps) {
  const [views, setViews] = useLocalStorage<View[]>({
    key: `mooring-views-${table}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const others = views.filter((view) => view.name !== name);
  const save = () => {
    setViews([...others, { name, query: params.toString(), hidden }].slice(-MAX_VIEWS));
    setTyped('');
  };
  const show = (view: View) => {
    onHide(view.hidden);
    setParams(view.query);
  };
  return (
    <Stack gap={6}>
      {views.length > 0 && (
        <Text size="xs" fw={500}>
          Saved views
        </Text>
      )}
      {views.map((view) => (
        <Group key={view.name} gap={4} wrap="nowrap">
          <Button variant="subtle" size="compact-xs" justify="flex-start" flex={1} onClick={() => show(view)}>
            {view.name}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Delete view ${view.name}`}
            onClick={() => setViews(views.filter((each) => each !== view))}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Group gap={6} wrap="nowrap" align="flex-end">
        <TextInput
          label="View name"
          size="xs"
          maxLength={MAX_NAME_LENGTH}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Enter' && name && save()}
        />
        <Button variant="default" size="xs" disabled={!name} onClick={save}>
          Save view
        </Button>
      </Group>
    </Stack>
  );
}
