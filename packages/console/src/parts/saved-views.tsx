import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';

/** How somebody looked at a table: its search, filters and order, which stand in the address, and the columns left out. */
interface View {
  name: string;
  query: string;
  hidden: string[];
}

/** More would not be found again. */
const MOST_VIEWS = 20;
const LONGEST_NAME = 60;

interface SavedViewsProps {
  /** Of the table. */
  label: string;
  hidden: string[];
  onHide: (labels: string[]) => void;
}

/** Views of a table that were given a name, kept in this browser. */
export function SavedViews({ label, hidden, onHide }: SavedViewsProps) {
  const [views, setViews] = useLocalStorage<View[]>({
    key: `mooring-views-${label}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const others = views.filter((view) => view.name !== name);
  const save = () => {
    setViews([...others, { name, query: params.toString(), hidden }].slice(-MOST_VIEWS));
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
            aria-label={`Delete the view ${view.name}`}
            onClick={() => setViews(views.filter((each) => each !== view))}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Group gap={6} wrap="nowrap" align="flex-end">
        <TextInput
          label="Name of this view"
          size="xs"
          maxLength={LONGEST_NAME}
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
