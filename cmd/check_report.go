package cmd

import (
	"bytes"
	"errors"
	"os"

	"github.com/hookctl/hookctl/cmd/render"
	"github.com/hookctl/hookctl/listen/record"
	"github.com/hookctl/hookctl/send"
	"github.com/hookctl/hookctl/send/conform"
)

// checkReport writes a report to where the flags want it. JUnit or Markdown on
// stdout takes the place of the text.
func (a *app) checkReport(o *checkOptions, r *conform.Report) error {
	if o.junit != "" {
		var b bytes.Buffer
		if err := r.WriteJUnit(&b); err != nil {
			return err
		}
		if err := a.writeWhole(o.junit, b.Bytes()); err != nil {
			return cannot(err, "--junit: %s", pathError(err))
		}
	}
	if o.markdown != "" {
		var b bytes.Buffer
		if err := r.WriteMarkdown(&b); err != nil {
			return err
		}
		if err := a.appendTo(o.markdown, b.Bytes()); err != nil {
			return cannot(err, "--markdown: %s", pathError(err))
		}
	}
	switch {
	case o.out.json:
		return send.WriteDocument(a.out, r)
	case o.junit == "-", o.markdown == "-":
		return nil
	}
	st := a.outStyle()
	st.Verbose = o.out.verbose
	if o.out.quiet {
		return render.CheckResult(a.out, st, r)
	}
	return render.CheckReport(a.out, st, r)
}

// writeWhole writes a whole file, or stdout.
func (a *app) writeWhole(path string, data []byte) error {
	if path == "-" {
		_, err := a.out.Write(data)
		return err
	}
	return writeFile(path, data)
}

// appendTo appends to a file, or writes to stdout. A symlink of another owner is
// not followed.
func (a *app) appendTo(path string, data []byte) error {
	if path == "-" {
		_, err := a.out.Write(data)
		return err
	}
	f, err := record.OpenNoFollow(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// maxBaseline bounds an earlier report.
const maxBaseline = 16 << 20

// readBaseline reads an earlier report; nil without a path.
func readBaseline(path string) (conform.Baseline, error) {
	if path == "" {
		return nil, nil
	}
	data, err := readFile(path, maxBaseline)
	if err != nil {
		return nil, cannot(err, "--baseline: %s", pathError(err))
	}
	b, err := conform.ParseBaseline(data)
	if err != nil {
		return nil, misuse("--baseline: %s: %s", oneLine(path), oneLine(err.Error()))
	}
	return b, nil
}
