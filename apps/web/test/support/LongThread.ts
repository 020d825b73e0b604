/** A thread with many entries, made in the database of a server that does not run. */
import { DatabaseSync } from "node:sqlite"

/** Puts entries between the first and the last one of the only turn: `Entry 2` and so on, up to `Entry N+1`. */
export const fill = (file: string, entries: number): void => {
  const database = new DatabaseSync(file)
  database.exec(`
    UPDATE items SET position = -position WHERE position > 1;
    UPDATE items SET position = ${entries} - position WHERE position < 0;
    WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n <= ${entries})
    INSERT INTO items
      SELECT turns.thread_id, n, 'filled:' || n, 'warning', json_object(
        'type', 'warning', 'itemId', 'filled:' || n, 'turnId', turns.turn_id, 'at', 1, 'message', 'Entry ' || n)
      FROM numbers, turns`)
  database.close()
}
