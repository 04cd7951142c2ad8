/** Twenty tools with the kinds of descriptions and schemas that public MCP servers have, for counting what they cost in a prompt. */
import type { ToolDefinition } from '../../parsers/parser.ts';

type Properties = Readonly<Record<string, object>>;

function tool(
  name: string,
  description: string,
  properties: Properties,
  required: readonly string[],
  rest: object = {},
): ToolDefinition {
  const inputSchema = { type: 'object', properties, required, additionalProperties: false, ...rest };
  return { name, description, inputSchema };
}

const text = (description: string, rest: object = {}) => ({ type: 'string', description, ...rest });
const whole = (description: string, rest: object = {}) => ({ type: 'integer', description, ...rest });
const flag = (description: string, preset = false) => ({ type: 'boolean', description, default: preset });
const choice = (description: string, ...values: string[]) => ({ type: 'string', enum: values, description });
const page = whole('Page of the results, counted from 1.', { minimum: 1, default: 1 });
const perPage = whole('Results on a page.', { minimum: 1, maximum: 100, default: 30 });
const owner = text('Account that the repository belongs to.');
const repository = text('Name of the repository.');

export const realisticTools: readonly ToolDefinition[] = [
  tool(
    'read_text_file',
    'Returns the content of a file as text. Only folders that were allowed can be read; of a long file ask for the beginning or the end.',
    {
      path: text('Path of the file.'),
      head: whole('Return only this many lines from the beginning.', { minimum: 1 }),
      tail: whole('Return only this many lines from the end.', { minimum: 1 }),
    },
    ['path'],
  ),
  tool(
    'edit_file',
    'Replaces passages of a text file. Each old text must occur exactly as it is given. Returns a diff of what was changed.',
    {
      path: text('Path of the file.'),
      edits: {
        type: 'array',
        description: 'The replacements, made one after another.',
        items: {
          type: 'object',
          properties: {
            oldText: text('What to look for, exact to the white space.'),
            newText: text('What stands there afterwards.'),
          },
          required: ['oldText', 'newText'],
          additionalProperties: false,
        },
      },
      dryRun: flag('Show the diff and change nothing.'),
    },
    ['path', 'edits'],
  ),
  tool(
    'list_directory',
    'Lists what a folder holds, folders and files marked as such.',
    {
      path: text('Path of the folder.'),
      sortBy: { ...choice('What to sort by.', 'name', 'size', 'modified'), default: 'name' },
    },
    ['path'],
  ),
  tool(
    'search_files',
    'Finds files and folders whose path matches a pattern, in all folders below the given one.',
    {
      path: text('Folder to begin in.'),
      pattern: text('Glob pattern, such as **/*.ts.'),
      excludePatterns: {
        type: 'array',
        items: { type: 'string' },
        default: [],
        description: 'Globs to leave out.',
      },
    },
    ['path', 'pattern'],
  ),
  tool(
    'create_issue',
    'Opens a new issue in a repository.',
    {
      owner,
      repo: repository,
      title: text('Title of the issue.', { minLength: 1, maxLength: 256 }),
      body: text('What it is about, in Markdown.'),
      labels: { type: 'array', items: { type: 'string' }, description: 'Labels to put on it.' },
      assignees: {
        type: 'array',
        items: { type: 'string' },
        maxItems: 10,
        description: 'Accounts to assign it to.',
      },
      milestone: { type: ['integer', 'null'], description: 'Number of a milestone.' },
    },
    ['owner', 'repo', 'title'],
  ),
  tool(
    'list_pull_requests',
    'Lists the pull requests of a repository, the newest first.',
    {
      owner,
      repo: repository,
      state: { ...choice('Which ones.', 'open', 'closed', 'all'), default: 'open' },
      base: text('Only those into this branch.'),
      sort: choice('What to sort by.', 'created', 'updated', 'popularity', 'long-running'),
      direction: choice('Direction to sort in.', 'asc', 'desc'),
      page,
      perPage,
    },
    ['owner', 'repo'],
  ),
  tool(
    'search_code',
    'Searches the code of all repositories that can be read.',
    {
      query: text('What to search for, with qualifiers such as language:go or path:src.'),
      order: choice('Direction to sort in.', 'asc', 'desc'),
      page,
      perPage,
    },
    ['query'],
  ),
  tool(
    'push_files',
    'Commits several files to a branch at once.',
    {
      owner,
      repo: repository,
      branch: text('Branch to commit to.'),
      message: text('Commit message.'),
      files: {
        type: 'array',
        minItems: 1,
        description: 'The files of the commit.',
        items: {
          type: 'object',
          properties: { path: text('Path in the repository.'), content: text('The whole new content.') },
          required: ['path', 'content'],
        },
      },
    },
    ['owner', 'repo', 'branch', 'message', 'files'],
  ),
  tool(
    'query',
    'Runs a read-only SQL statement on the database and returns the rows as JSON.',
    {
      sql: text('One SELECT statement.'),
      parameters: { type: 'array', items: {}, description: 'Values for the placeholders, in order.' },
      timeout_ms: whole('Give up after this many milliseconds.', {
        minimum: 100,
        maximum: 60000,
        default: 5000,
      }),
    },
    ['sql'],
  ),
  tool(
    'fetch_url',
    'Fetches a page and returns its text as Markdown. A long page comes in parts: go on with start_index.',
    {
      url: text('Address of the page.', { format: 'uri', minLength: 1, title: 'Url' }),
      max_length: whole('Characters to return at most.', {
        exclusiveMinimum: 0,
        exclusiveMaximum: 1000000,
        default: 5000,
        title: 'Max Length',
      }),
      start_index: whole('Where to go on, after a part that was cut off.', {
        minimum: 0,
        default: 0,
        title: 'Start Index',
      }),
      raw: { ...flag('Return the HTML as it is.'), title: 'Raw' },
    },
    ['url'],
    { title: 'Fetch' },
  ),
  tool(
    'web_search',
    'Searches the web and returns titles, addresses and short extracts. Use it for what may have changed lately.',
    {
      query: text('A question or a few words.', { maxLength: 400 }),
      count: whole('Results to return.', { minimum: 1, maximum: 20, default: 10 }),
      freshness: choice('How old a page may be.', 'day', 'week', 'month', 'year'),
      country: text('Country whose pages come first.', { pattern: '^[A-Z]{2}$', examples: ['DE'] }),
      safe: flag('Leave adult pages out.', true),
    },
    ['query'],
  ),
  tool(
    'get_forecast',
    'Weather forecast for a place, by the day or by the hour.',
    {
      location: {
        type: 'object',
        description: 'Where: a place by name, or its coordinates.',
        properties: {
          city: text('Name of the place.'),
          latitude: {
            type: 'number',
            minimum: -90,
            maximum: 90,
            description: 'Degrees, north is positive.',
          },
          longitude: {
            type: 'number',
            minimum: -180,
            maximum: 180,
            description: 'Degrees, east is positive.',
          },
        },
      },
      days: whole('Days ahead.', { minimum: 1, maximum: 14, default: 3 }),
      units: { ...choice('Units of the figures.', 'metric', 'imperial'), default: 'metric' },
      hourly: flag('A line for each hour.'),
    },
    ['location'],
  ),
  tool(
    'create_event',
    "Puts an event into a calendar and invites people to it.\nTimes without an offset are in the calendar's own time zone.",
    {
      calendarId: text('Which calendar; "primary" is the main one.', { default: 'primary' }),
      summary: text('Title of the event.'),
      start: text('When it begins.', { format: 'date-time' }),
      end: text('When it ends.', { format: 'date-time' }),
      attendees: {
        type: 'array',
        description: 'People to invite.',
        items: {
          type: 'object',
          properties: {
            email: text('Address of the person.', { format: 'email' }),
            optional: flag('May stay away.'),
          },
          required: ['email'],
        },
      },
      reminders: {
        type: 'array',
        maxItems: 5,
        items: { type: 'integer', minimum: 0 },
        description: 'Minutes before.',
      },
      visibility: choice('Who sees it.', 'default', 'public', 'private'),
    },
    ['summary', 'start', 'end'],
  ),
  tool(
    'send_message',
    'Posts a message to a channel or to a thread in it.',
    {
      channel_id: text('Id of the channel.', { pattern: '^[CDG][A-Z0-9]{8,}$' }),
      text: text('The message, in Markdown.', { maxLength: 4000 }),
      thread_ts: text('Time stamp of the message that it answers.'),
      reply_broadcast: flag('Show an answer in the channel too.'),
    },
    ['channel_id', 'text'],
  ),
  tool(
    'browser_click',
    'Clicks an element of the page.',
    {
      element: text('The element in words, for the person who has to permit it.'),
      ref: text('Reference of the element in the last snapshot of the page.'),
      doubleClick: { type: 'boolean', description: 'Click twice.' },
      button: choice('Which button; the left one if none is given.', 'left', 'right', 'middle'),
      modifiers: {
        type: 'array',
        items: { type: 'string', enum: ['Alt', 'Control', 'Meta', 'Shift'] },
        description: 'Keys held down.',
      },
    },
    ['element', 'ref'],
  ),
  tool(
    'create_entities',
    'Adds entities to the knowledge graph. Those that are there already stay as they are.',
    {
      entities: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: text('Name of the entity; no other one has it.'),
            entityType: text('What kind of thing it is.'),
            observations: {
              type: 'array',
              items: { type: 'string' },
              description: 'What is known of it, a fact each.',
            },
          },
          required: ['name', 'entityType', 'observations'],
          additionalProperties: false,
        },
      },
    },
    ['entities'],
  ),
  tool(
    'find_documents',
    'Finds documents of a collection that meet a condition.',
    {
      collection: text('Name of the collection.'),
      filter: { $ref: '#/$defs/Condition', description: 'What a document has to meet.' },
      limit: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: null, title: 'Limit' },
    },
    ['collection', 'filter'],
    {
      $defs: {
        Condition: {
          title: 'Condition',
          anyOf: [
            {
              type: 'object',
              properties: {
                field: text('Name of the field.'),
                operator: choice('How to compare.', 'eq', 'ne', 'lt', 'gt', 'in'),
                value: { description: 'What to compare with.' },
              },
              required: ['field', 'operator', 'value'],
            },
            {
              type: 'object',
              properties: {
                all: {
                  type: 'array',
                  items: { $ref: '#/$defs/Condition' },
                  description: 'All of them hold.',
                },
              },
              required: ['all'],
            },
          ],
        },
      },
    },
  ),
  tool(
    'convert_time',
    'Converts a time of day from one time zone to another.',
    {
      source_timezone: text('IANA name of the zone that the time is in, such as Europe/Madrid.'),
      time: text('The time, on the 24-hour clock.', { pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }),
      target_timezone: text('IANA name of the zone to convert to.'),
    },
    ['source_timezone', 'time', 'target_timezone'],
  ),
  tool(
    'think_step',
    'Notes down a step of a chain of thought. A step may revise an earlier one or begin a branch.\n\nUse it for problems that need planning, and stop when there is nothing left to check.',
    {
      thought: text('The step itself.'),
      nextThoughtNeeded: { type: 'boolean', description: 'Whether another one follows.' },
      thoughtNumber: whole('Number of this step.', { minimum: 1 }),
      totalThoughts: whole('How many there will be, as far as can be said.', { minimum: 1 }),
      revisesThought: whole('Number of the step that is thought over again.', { minimum: 1 }),
      branchId: text('Name of the branch.'),
    },
    ['thought', 'nextThoughtNeeded', 'thoughtNumber', 'totalThoughts'],
  ),
  tool('list_allowed_directories', 'Lists the folders that may be read and written.', {}, []),
];
