import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  jupyterOfSource,
  type Language,
  LANGUAGES,
  sourceOfJupyter,
} from '../../src/workspace-files/formats.ts'

describe('Jupyter notebooks', () => {
  it('come back as the source that they were made of', () => {
    const line = fc.constantFrom('', 'x = 1', '# text', '%md', 'print("ä")', '# MAGIC', '-- MAGIC %md')
    const cell = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(LANGUAGES) as Language[])),
        fc.array(cell, { minLength: 1, maxLength: 4 }),
        (language, cells) => {
          const source = cells.join(`\n\n${LANGUAGES[language].comment} COMMAND ----------\n\n`)
          const jupyter = jupyterOfSource(Buffer.from(source), language)
          const back = sourceOfJupyter(jupyter)
          expect(back.language).toBe(language)
          expect(jupyterOfSource(back.source, language).equals(jupyter)).toBe(true)
        },
      ),
    )
  })

  it.for(['', '5', 'null', '{', '"text"', 'secret-looking'])('are not made of %j', (text) => {
    let answered: unknown
    try {
      sourceOfJupyter(Buffer.from(text))
    } catch (error) {
      answered = (error as { body: unknown }).body
    }
    expect(answered).toEqual({
      error_code: 'INVALID_PARAMETER_VALUE',
      message: 'The content is not a Jupyter notebook: it must be a JSON object.',
    })
  })

  it('are read even where their fields are not what they should be', () => {
    for (const notebook of [
      {},
      [],
      { cells: 5 },
      { cells: [null, 5, { cell_type: 'code' }, { source: [1, {}] }] },
    ])
      expect(sourceOfJupyter(Buffer.from(JSON.stringify(notebook))).language).toBe('PYTHON')
  })
})
