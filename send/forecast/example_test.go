package forecast_test

import (
	"fmt"
	"time"

	"github.com/hookctl/hookctl/profiles"
	"github.com/hookctl/hookctl/send/forecast"
)

func ExampleRun() {
	entry, err := profiles.Builtin().Get("clodo")
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := forecast.Run(forecast.Outage{Down: 40 * time.Minute, Rate: 50}, entry.Profile)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := f.Results[0]
	fmt.Println(r.First, "at the first attempt,", r.Late, "late,", r.Lost, "lost")
	fmt.Println("lost from", r.LostFrom, "to", r.LostTo)
	fmt.Println(r.Aftermath())
	// Output:
	// 540000 at the first attempt, 15250 late, 104750 lost
	// lost from 0s to 34m55s
	// fetch the result: GET /v1/<endpoint>/{job_id}/ (Async Polling)
}
