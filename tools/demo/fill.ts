import { readConfig } from '../../packages/server/src/config.ts';
import { tellStory } from './story.ts';

// Fills the data folder of the settings, and prints whose accounts can be used.
process.stdout.write(JSON.stringify(await tellStory(readConfig(process.env), Date.now())));
